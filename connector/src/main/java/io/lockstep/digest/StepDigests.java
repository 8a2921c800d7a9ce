package io.lockstep.digest;

import io.lockstep.batch.StepBatch;
import java.util.ArrayList;
import java.util.List;

/** Makes digests, as {@code docs/digests.md} defines them. Thread-safe. */
public final class StepDigests {

    private StepDigests() {}

    /**
     * The digest of one lane's rows of a step.
     *
     * @param batch has the rows of that lane alone; must not be closed meanwhile
     */
    public static Digest128 lane(StepBatch batch) {
        return lanes(batch, 1).get(0);
    }

    /**
     * The digests of lanes that lie one after the other in a batch.
     *
     * @param batch must not be closed meanwhile
     * @param lanes how many, with the same number of rows each
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
     * The digest of a step, which does not depend on the number of ranks.
     *
     * @param lanes the digests of all lanes of the stream, ascending
     */
    public static Digest128 step(List<Digest128> lanes) {
        return JavaLaneHash.hash(PackedDigests.copyOf(lanes).bytes());
    }
}
