package io.lockstep.cli.past;

import io.lockstep.UserException;
import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.DigestRow;
import io.lockstep.audit.Evidence;
import io.lockstep.audit.Gap;
import io.lockstep.audit.RecordedStep;
import io.lockstep.audit.RecordedSteps;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.digest.Digest128;
import io.lockstep.materialize.StepRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/**
 * Checks that the trainers consumed what the run served.
 *
 * <p>If a task is killed, the records of its last seconds are lost, but the trainers' receipts
 * reach its successor. Steps without a served record are therefore rebuilt, however many there are,
 * and their digests must equal the consumed ones.
 *
 * @param difference the first consumed digest that was not served; null if there is none
 * @param gaps the steps whose records were lost
 */
record ConsumptionCheck(@Nullable Difference difference, List<Gap> gaps) {

    /**
     * Reads a run's archive to the end, or to the first difference of each stream.
     *
     * @param which names the run: "first" or "second"
     */
    static ConsumptionCheck of(PastRun run, String which) throws IOException {
        DigestArchive archive = new DigestArchive(run.directory());
        List<Gap> gaps = new ArrayList<>();
        Difference difference = null;
        for (String stream : archive.streams()) {
            gaps.addAll(archive.proof(stream).gaps());
            if (difference == null) {
                difference =
                        new OneStream(run, which, stream).find(archive.steps(stream)).orElse(null);
            }
        }
        return new ConsumptionCheck(difference, gaps);
    }

    private static final class OneStream {

        private final PastRun run;
        private final String which;
        private final String stream;

        OneStream(PastRun run, String which, String stream) {
            this.run = run;
            this.which = which;
            this.stream = stream;
        }

        Optional<Difference> find(RecordedSteps steps) throws IOException {
            for (Optional<RecordedStep> next = steps.next();
                    next.isPresent();
                    next = steps.next()) {
                Optional<Difference> found = check(next.get());
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        }

        private Optional<Difference> check(RecordedStep step) {
            SortedMap<Integer, Set<Digest128>> unserved = new TreeMap<>();
            for (var lane : step.lanes().entrySet()) {
                Set<Digest128> consumed = digests(lane.getValue(), DigestRow.Kind.CONSUMED);
                Set<Digest128> served = digests(lane.getValue(), DigestRow.Kind.SERVED);
                if (!served.containsAll(consumed)) {
                    if (!served.isEmpty()) {
                        return Optional.of(
                                difference(step, lane.getKey(), consumed, "served was " + served));
                    }
                    unserved.put(lane.getKey(), consumed);
                }
            }
            return unserved.isEmpty() ? Optional.empty() : remake(step, unserved);
        }

        private static Set<Digest128> digests(SortedSet<Evidence> of, DigestRow.Kind kind) {
            return of.stream()
                    .filter(record -> record.kind() == kind)
                    .map(Evidence::digest)
                    .collect(Collectors.toSet());
        }

        private Optional<Difference> remake(
                RecordedStep step, SortedMap<Integer, Set<Digest128>> consumed) {
            int[] lanes = consumed.keySet().stream().mapToInt(lane -> lane).toArray();
            try {
                PlannedStream planned = run.stream(stream);
                try (StepRows rows =
                        StepRows.direct(
                                planned.content(),
                                planned.order(),
                                step.epoch(),
                                step.step(),
                                lanes)) {
                    for (int i = 0; i < lanes.length; i++) {
                        Digest128 made = rows.digests().get(i);
                        if (!consumed.get(lanes[i]).equals(Set.of(made))) {
                            return Optional.of(
                                    difference(
                                            step,
                                            lanes[i],
                                            consumed.get(lanes[i]),
                                            "there is no record of what was served, and made again"
                                                    + " it is "
                                                    + made));
                        }
                    }
                }
                return Optional.empty();
            } catch (UserException | IOException | IllegalArgumentException e) {
                return Optional.of(
                        difference(
                                step,
                                lanes[0],
                                consumed.get(lanes[0]),
                                "there is no record of what was served, and it cannot be made again: "
                                        + e.getMessage()));
            }
        }

        private Difference difference(
                RecordedStep step, int lane, Set<Digest128> consumed, String why) {
            String here =
                    "digest "
                            + consumed.stream()
                                    .map(Digest128::toString)
                                    .collect(Collectors.joining(" and "))
                            + " consumed but not served";
            String there = "not concerned";
            boolean inFirst = which.equals("first");
            return new Difference(
                    stream,
                    step.epoch(),
                    step.step(),
                    lane,
                    -1,
                    null,
                    null,
                    inFirst ? here : there,
                    inFirst ? there : here,
                    "in the " + which + " run, trainers reported what no server gave them: " + why);
        }
    }
}
