package io.lockstep.digest;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The portable hash in Java. A body in a single piece takes a faster path. */
final class JavaLaneHash implements LaneHash {

    private static final Hasher128 XXH3 = Hashing.xxh3_128();

    private HashStream128 stream;
    private HashValue128 body;

    static Digest128 hash(byte[] bytes) {
        return digest(XXH3.hashBytesTo128Bits(bytes));
    }

    @Override
    public void read(long address, long bytes, boolean last) {
        if (stream == null && last) {
            body = XXH3.hashBytesTo128Bits(null, address, bytes, AddressAccess.INSTANCE);
            return;
        }
        if (stream == null) {
            stream = XXH3.hashStream();
        }
        stream.putBytes(null, address, bytes, AddressAccess.INSTANCE);
        if (last) {
            body = stream.get();
        }
    }

    @Override
    public Digest128 digest(long[] counts) {
        ByteBuffer shape = ByteBuffer.allocate(counts.length * Long.BYTES + Digest128.BYTES);
        shape.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(counts);
        shape.position(counts.length * Long.BYTES).order(ByteOrder.BIG_ENDIAN);
        digest(body).putInto(shape);
        return hash(shape.array());
    }

    @Override
    public void close() {
        // Holds only heap objects.
    }

    private static Digest128 digest(HashValue128 value) {
        return new Digest128(value.getMostSignificantBits(), value.getLeastSignificantBits());
    }
}
