package io.lockstep.digest;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.lockstep.batch.LaneBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Makes digests, as {@code docs/digests.md} defines them. Thread-safe. */
public final class StepDigests {

    private static final Hasher128 XXH3 = Hashing.xxh3_128();

    private StepDigests() {}

    /**
     * The digest of one lane's rows of a step.
     *
     * @param batch must not be closed meanwhile
     */
    public static Digest128 lane(LaneBatch batch) {
        try (BodyHash body = NativeHash.newBody()) {
            return lane(batch, body);
        }
    }

    static Digest128 lane(LaneBatch batch, BodyHash body) {
        long[] counts = batch.readCanonical(body);
        ByteBuffer shape = ByteBuffer.allocate(counts.length * Long.BYTES + Digest128.BYTES);
        shape.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(counts);
        shape.position(counts.length * Long.BYTES).order(ByteOrder.BIG_ENDIAN);
        put(shape, body.value());
        return hash(shape);
    }

    /**
     * The digest of a step, which does not depend on the number of ranks.
     *
     * @param lanes the digests of all lanes of the stream, ascending
     */
    public static Digest128 step(List<Digest128> lanes) {
        ByteBuffer bytes = ByteBuffer.allocate(lanes.size() * Digest128.BYTES);
        lanes.forEach(lane -> put(bytes, lane));
        return hash(bytes);
    }

    private static void put(ByteBuffer bytes, Digest128 digest) {
        bytes.putLong(digest.high()).putLong(digest.low());
    }

    private static Digest128 hash(ByteBuffer full) {
        HashValue128 value = XXH3.hashBytesTo128Bits(full.array());
        return new Digest128(value.getMostSignificantBits(), value.getLeastSignificantBits());
    }
}
