package io.lockstep.cli.past;

import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.DigestComparison;
import io.lockstep.audit.Gap;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.run.DamageEntry;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.annotation.Nullable;

/**
 * The result of comparing two runs.
 *
 * @param causes settings and files that differ
 * @param digests how far their archives agree
 * @param difference the first position at which they differ; null if none was found
 * @param damagedInFirst the steps of the first run whose rows may be wrong
 * @param damagedInSecond the steps of the second run whose rows may be wrong
 * @param gapsInFirst the steps whose records the first run lost
 * @param gapsInSecond the steps whose records the second run lost
 */
record RunComparison(
        List<Cause> causes,
        DigestComparison digests,
        @Nullable Difference difference,
        List<DamageEntry> damagedInFirst,
        List<DamageEntry> damagedInSecond,
        List<Gap> gapsInFirst,
        List<Gap> gapsInSecond) {

    static RunComparison of(PastRun first, PastRun second) throws IOException {
        List<Cause> causes = new ArrayList<>();
        List<Difference> differences = new ArrayList<>();
        SortedSet<String> streams = names(first);
        streams.retainAll(names(second));
        for (String stream : streams) {
            PlannedStream ours = first.stream(stream);
            PlannedStream theirs = second.stream(stream);
            List<Cause> own = Cause.between(ours, theirs);
            causes.addAll(own);
            if (!own.isEmpty()) {
                new OrderDifference(ours, theirs).find().ifPresent(differences::add);
            }
        }
        DigestComparison digests =
                DigestComparison.of(
                        new DigestArchive(first.directory()),
                        new DigestArchive(second.directory()));
        DigestComparison.Difference content = digests.difference();
        if (content != null && differences.isEmpty()) {
            differences.add(
                    new ContentDifference(
                                    first.stream(content.stream()),
                                    second.stream(content.stream()),
                                    content)
                            .explain());
        }
        ConsumptionCheck ours = ConsumptionCheck.of(first, "first");
        ConsumptionCheck theirs = ConsumptionCheck.of(second, "second");
        Stream.of(ours, theirs)
                .map(ConsumptionCheck::difference)
                .filter(Objects::nonNull)
                .forEach(differences::add);
        missing(first, second, true, differences);
        missing(second, first, false, differences);
        return new RunComparison(
                causes,
                digests,
                differences.isEmpty() ? null : differences.get(0),
                first.directory().readDamage(),
                second.directory().readDamage(),
                ours.gaps(),
                theirs.gaps());
    }

    /** Streams that exist in only one of the runs. */
    private static void missing(
            PastRun here, PastRun there, boolean inFirst, List<Difference> differences) {
        SortedSet<String> streams = names(here);
        streams.removeAll(names(there));
        streams.forEach(stream -> differences.add(Difference.absent(stream, inFirst)));
    }

    private static SortedSet<String> names(PastRun run) {
        return new TreeSet<>(run.settings().streams().stream().map(StreamSpec::name).toList());
    }

    /** Whether no difference was found in what could be compared, and no rows may be wrong. */
    boolean same() {
        return difference == null && comparable() && !damaged();
    }

    /** Whether either run served steps from a damaged cache file. */
    boolean damaged() {
        return !damagedInFirst.isEmpty() || !damagedInSecond.isEmpty();
    }

    /** Whether both records are complete, as far as the runs know. */
    boolean complete() {
        return gapsInFirst.isEmpty() && gapsInSecond.isEmpty();
    }

    /** Whether both runs served at least one common step. */
    boolean comparable() {
        return digests.lanesCompared() > 0;
    }
}
