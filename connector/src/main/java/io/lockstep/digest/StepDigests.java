package io.lockstep.digest;

import io.lockstep.batch.StepBatch;
import java.util.ArrayList;
import java.util.List;

/** Computes digests as defined in {@code docs/digests.md}. Thread-safe. */
public final class StepDigests {

    private StepDigests() {}

    /**
     * Returns the digest of one lane's rows of a step.
     *
     * @param batch the rows of this lane only; must not be closed during the call
     */
    public static Digest128 lane(StepBatch batch) {
        return lanes(batch, 1).get(0);
    }

    /**
     * Returns the digests of consecutive lanes of a batch.
     *
     * @param batch must not be closed during the call
     * @param lanes the number of lanes, all with the same number of rows
     */
    public static PackedDigests lanes(StepBatch batch, int lanes) {
        int rows = batch.rows() / lanes;
        List<Digest128> digests = new ArrayList<>(lanes);
        for (int lane = 0; lane < lanes; lane++) {
            try (LaneHash hash = NativeHash.fastest()) {
                digests.add(hash.digest(batch.readCanonical(lane * rows, rows, hash)));
            }
        }
        return PackedDigests.copyOf(digests);
    }

    /**
     * Returns the digest of a step, which does not depend on the number of ranks.
     *
     * @param lanes the digests of all lanes of the stream, ascending
     */
    public static Digest128 step(List<Digest128> lanes) {
        return JavaLaneHash.hash(PackedDigests.copyOf(lanes).bytes());
    }
}
