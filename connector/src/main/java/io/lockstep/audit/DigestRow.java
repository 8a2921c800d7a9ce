package io.lockstep.audit;

import io.lockstep.digest.Digest128;
import io.lockstep.digest.PackedDigests;
import java.util.List;

/**
 * What became of some lanes of a step, once. The same may be recorded any number of times.
 *
 * @param kind what became of them
 * @param generation of the trainers
 * @param rank of the trainer
 * @param lanes ascending
 * @param digests of these lanes
 */
public record DigestRow(
        Kind kind,
        String stream,
        long generation,
        int rank,
        long epoch,
        long step,
        List<Integer> lanes,
        List<Digest128> digests) {

    private static final long OVERHEAD = 128;

    /** What can become of a step. */
    public enum Kind {
        /** A server has handed it over. Trainers fetch ahead, so it may not have been used. */
        SERVED,
        /** The trainer's own code has received it, by the trainer's word. */
        CONSUMED
    }

    public DigestRow {
        lanes = List.copyOf(lanes);
        digests = PackedDigests.copyOf(digests);
        if (epoch < 0 || step < 0 || generation < 0 || rank < 0) {
            throw new IllegalArgumentException(
                    "negative: epoch %d, step %d, generation %d, rank %d"
                            .formatted(epoch, step, generation, rank));
        }
        if (lanes.size() != digests.size() || lanes.isEmpty()) {
            throw new IllegalArgumentException(
                    lanes.size() + " lanes of a step with " + digests.size() + " digests");
        }
    }

    /** The same with an equal list of lanes in place of its own. */
    DigestRow withLanes(List<Integer> equal) {
        return new DigestRow(kind, stream, generation, rank, epoch, step, equal, digests);
    }

    /** The step's place among those of the stream. */
    StepKey key() {
        return new StepKey(epoch, step);
    }

    /** About how many bytes of memory it takes. */
    long size() {
        return OVERHEAD + (long) lanes.size() * Digest128.BYTES;
    }
}
