package io.lockstep.digest;

import com.dynatrace.hash4j.hashing.HashStream128;
import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;

/** The hash in Java, for every machine; one single piece takes its faster way. */
final class JavaBodyHash implements BodyHash {

    private static final Hasher128 XXH3 = Hashing.xxh3_128();

    private HashStream128 stream;
    private HashValue128 value;

    @Override
    public void read(long address, long bytes, boolean last) {
        if (stream == null && last) {
            value = XXH3.hashBytesTo128Bits(null, address, bytes, AddressAccess.INSTANCE);
            return;
        }
        if (stream == null) {
            stream = XXH3.hashStream();
        }
        stream.putBytes(null, address, bytes, AddressAccess.INSTANCE);
        if (last) {
            value = stream.get();
        }
    }

    @Override
    public Digest128 value() {
        return new Digest128(value.getMostSignificantBits(), value.getLeastSignificantBits());
    }

    @Override
    public void close() {
        // Holds nothing but objects.
    }
}
