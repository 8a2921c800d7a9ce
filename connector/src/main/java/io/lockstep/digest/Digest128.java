package io.lockstep.digest;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** A 128-bit digest; its canonical form is big-endian, as XXH128 defines it. */
public record Digest128(long high, long low) implements Comparable<Digest128> {

    /** Bytes of a digest. */
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

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return HEX.toHexDigits(high) + HEX.toHexDigits(low);
    }
}
