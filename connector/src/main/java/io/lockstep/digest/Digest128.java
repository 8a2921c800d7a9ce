package io.lockstep.digest;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** A 128-bit digest. Its canonical form is big-endian, as defined by XXH128. */
public record Digest128(long high, long low) implements Comparable<Digest128> {

    /** The size of a digest in bytes. */
    public static final int BYTES = 2 * Long.BYTES;

    private static final HexFormat HEX = HexFormat.of();

    void putInto(ByteBuffer bytes) {
        bytes.putLong(high).putLong(low);
    }

    @Override
    public int compareTo(Digest128 other) {
        int order = Long.compareUnsigned(high, other.high);
        return order != 0 ? order : Long.compareUnsigned(low, other.low);
    }

    /** Returns 32 hexadecimal digits. */
    @Override
    public String toString() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }
}
