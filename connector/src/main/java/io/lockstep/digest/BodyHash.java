package io.lockstep.digest;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import io.lockstep.batch.MemoryReader;

/** Hashes memory that comes in pieces; one single piece takes the hash's faster way. */
final class BodyHash implements MemoryReader {

    private final Hasher128 hasher;
    private HashStream128 stream;
    private HashValue128 value;

    BodyHash(Hasher128 hasher) {
        this.hasher = hasher;
    }

    @Override
    public void read(long address, long bytes, boolean last) {
        if (stream == null && last) {
            value = hasher.hashBytesTo128Bits(null, address, bytes, AddressAccess.INSTANCE);
            return;
        }
        if (stream == null) {
            stream = hasher.hashStream();
        }
        stream.putBytes(null, address, bytes, AddressAccess.INSTANCE);
        if (last) {
            value = stream.get();
        }
    }

    /** The hash of all pieces, after the last one. */
    HashValue128 value() {
        return value;
    }
}
