package io.lockstep.digest;

import io.lockstep.batch.LaneBatch;
import java.util.List;

/** Makes digests, as {@code docs/digests.md} defines them. Thread-safe. */
public final class StepDigests {

    private StepDigests() {}

    /**
     * The digest of one lane's rows of a step.
     *
     * @param batch must not be closed meanwhile
     */
    public static Digest128 lane(LaneBatch batch) {
        try (LaneHash hash = NativeHash.fastest()) {
            return hash.digest(batch.readCanonical(hash));
        }
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
