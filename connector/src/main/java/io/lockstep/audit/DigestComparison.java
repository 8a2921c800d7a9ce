package io.lockstep.audit;

import io.lockstep.digest.Digest128;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * The result of comparing two archives.
 *
 * @param lanesCompared lanes of steps with records in both archives
 * @param difference the first, by stream, epoch, step and lane, whose digests differ or are not
 *     unique; null if there is none
 * @param onlyInFirst lanes of steps with records in the first archive only
 * @param onlyInSecond lanes of steps with records in the second archive only
 */
public record DigestComparison(
        long lanesCompared,
        @Nullable Difference difference,
        List<Gap> onlyInFirst,
        List<Gap> onlyInSecond) {

    /**
     * A lane of a step whose content differs. An archive with several digests contradicts itself.
     *
     * @param first the digests in the first archive
     * @param second the digests in the second archive
     */
    public record Difference(
            String stream,
            long epoch,
            long step,
            int lane,
            SortedSet<Digest128> first,
            SortedSet<Digest128> second) {}

    /** Reads both archives to the end. */
    public static DigestComparison of(DigestArchive first, DigestArchive second)
            throws IOException {
        Tally tally = new Tally();
        SortedSet<String> streams = new TreeSet<>(first.streams());
        streams.addAll(second.streams());
        for (String stream : streams) {
            compare(first.steps(stream), second.steps(stream), tally);
        }
        return new DigestComparison(
                tally.compared, tally.difference, tally.onlyInFirst, tally.onlyInSecond);
    }

    private static void compare(RecordedSteps first, RecordedSteps second, Tally tally)
            throws IOException {
        Optional<RecordedStep> one = first.next();
        Optional<RecordedStep> other = second.next();
        while (one.isPresent() || other.isPresent()) {
            StepKey at = earlier(keyOf(one), keyOf(other));
            boolean inOne = keyOf(one).equals(at);
            boolean inOther = keyOf(other).equals(at);
            tally.add(inOne ? one.get() : null, inOther ? other.get() : null);
            if (inOne) {
                one = first.next();
            }
            if (inOther) {
                other = second.next();
            }
        }
    }

    private static StepKey earlier(StepKey one, StepKey other) {
        return other.isBefore(one) ? other : one;
    }

    private static StepKey keyOf(Optional<RecordedStep> step) {
        return step.map(RecordedStep::key).orElse(StepKey.END);
    }

    /** The result so far. */
    private static final class Tally {

        private long compared;
        private Difference difference;
        private final List<Gap> onlyInFirst = new ArrayList<>();
        private final List<Gap> onlyInSecond = new ArrayList<>();

        /** Adds a step of one or both archives; a missing one is null. */
        void add(RecordedStep one, RecordedStep other) {
            RecordedStep present = one == null ? other : one;
            SortedSet<Integer> lanes = new TreeSet<>(present.lanes().keySet());
            if (other != null) {
                lanes.addAll(other.lanes().keySet());
            }
            boolean missesFirst = false;
            boolean missesSecond = false;
            for (int lane : lanes) {
                boolean inFirst = one != null && one.lanes().containsKey(lane);
                boolean inSecond = other != null && other.lanes().containsKey(lane);
                missesFirst |= !inFirst;
                missesSecond |= !inSecond;
                if (inFirst && inSecond) {
                    compare(one, other, lane);
                }
            }
            if (missesSecond) {
                extend(onlyInFirst, present);
            }
            if (missesFirst) {
                extend(onlyInSecond, present);
            }
        }

        private void compare(RecordedStep one, RecordedStep other, int lane) {
            compared++;
            SortedSet<Digest128> first = one.digests(lane);
            SortedSet<Digest128> second = other.digests(lane);
            if (difference == null && (first.size() > 1 || !first.equals(second))) {
                difference =
                        new Difference(one.stream(), one.epoch(), one.step(), lane, first, second);
            }
        }

        private static void extend(List<Gap> gaps, RecordedStep step) {
            int end = gaps.size() - 1;
            if (end >= 0) {
                Gap last = gaps.get(end);
                if (last.stream().equals(step.stream())
                        && last.epoch() == step.epoch()
                        && last.to() == step.step() - 1) {
                    gaps.set(end, new Gap(last.stream(), last.epoch(), last.from(), step.step()));
                    return;
                }
            }
            gaps.add(new Gap(step.stream(), step.epoch(), step.step(), step.step()));
        }
    }
}
