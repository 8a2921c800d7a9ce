package io.lockstep.audit;

import io.lockstep.digest.Digest128;
import io.lockstep.digest.PackedDigests;
import java.util.List;

/**
 * A record that some lanes of a step were served or consumed. The same event may be recorded any
 * number of times.
 *
 * @param kind the event
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

    /** The kinds of events of a step. */
    public enum Kind {
        /** A server has handed the step over. Trainers prefetch, so it may be unused. */
        SERVED,
        /** The trainer reports that its code has received the step. */
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

    /** The same row with another, equal list of lanes, to share memory. */
    DigestRow withLanes(List<Integer> equal) {
        return new DigestRow(kind, stream, generation, rank, epoch, step, equal, digests);
    }

    /** The key of the step within the stream. */
    StepKey key() {
        return new StepKey(epoch, step);
    }

    /** The approximate bytes of memory that it takes. */
    long size() {
        return OVERHEAD + (long) lanes.size() * Digest128.BYTES;
    }
}
