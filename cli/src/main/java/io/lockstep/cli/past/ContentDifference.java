package io.lockstep.cli.past;

import io.lockstep.UserException;
import io.lockstep.audit.DigestComparison;
import io.lockstep.batch.Wire;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.digest.Digest128;
import io.lockstep.materialize.StepRows;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Explains two different digests by rebuilding both batches. */
final class ContentDifference {

    private final PlannedStream first;
    private final PlannedStream second;
    private final DigestComparison.Difference at;

    ContentDifference(PlannedStream first, PlannedStream second, DigestComparison.Difference at) {
        this.first = first;
        this.second = second;
        this.at = at;
    }

    Difference explain() {
        try (StepRows ours = make(first);
                StepRows theirs = make(second)) {
            Optional<RowDifference> rows = RowDifference.between(ours.root(), theirs.root());
            if (rows.isPresent()) {
                RowDifference row = rows.get();
                return new Difference(
                        at.stream(),
                        at.epoch(),
                        at.step(),
                        at.lane(),
                        row.row(),
                        row.sample(),
                        row.column().equals(Wire.SAMPLE) ? null : row.column(),
                        row.first(),
                        row.second(),
                        "the data of the two runs differs there");
            }
            return digests(served(ours.digests().get(0), theirs.digests().get(0)));
        } catch (UserException | IOException e) {
            return digests("the batches cannot be made again to compare them: " + e.getMessage());
        }
    }

    private StepRows make(PlannedStream planned) throws IOException {
        return StepRows.direct(
                planned.content(), planned.order(), at.epoch(), at.step(), new int[] {at.lane()});
    }

    private Difference digests(String why) {
        return new Difference(
                at.stream(),
                at.epoch(),
                at.step(),
                at.lane(),
                -1,
                null,
                null,
                "digest " + text(at.first()),
                "digest " + text(at.second()),
                why);
    }

    /** Both batches are equal when rebuilt: one of them was served with other rows. */
    private String served(Digest128 ours, Digest128 theirs) {
        boolean firstStands = at.first().equals(Set.of(ours));
        boolean secondStands = at.second().equals(Set.of(theirs));
        String who =
                firstStands
                        ? "the second run"
                        : secondStands ? "the first run" : "each of the runs";
        return "what "
                + who
                + " served is not what the sealed manifests give now: both batches, made again, have"
                + " the same rows, with the digest "
                + ours;
    }

    private static String text(Set<Digest128> digests) {
        return digests.stream().map(Digest128::toString).collect(Collectors.joining(" and "));
    }
}
