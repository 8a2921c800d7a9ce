package io.lockstep.digest;

import java.util.HexFormat;

/** A 128-bit digest; its canonical form is big-endian, as XXH128 defines it. */
public record Digest128(long high, long low) implements Comparable<Digest128> {

    /** Bytes of a digest. */
    public static final int BYTES = 2 * Long.BYTES;

    private static final HexFormat HEX = HexFormat.of();
    private static final int LONG_DIGITS = 2 * Long.BYTES;

    /**
     * Reads what {@link #toString()} writes.
     *
     * @throws IllegalArgumentException where it is not 32 hexadecimal digits
     */
    public static Digest128 parse(String hex) {
        if (hex.length() != 2 * LONG_DIGITS) {
            throw new IllegalArgumentException(
                    "A digest has 32 hexadecimal digits, not " + hex.length() + ": " + hex);
        }
        return new Digest128(
                HexFormat.fromHexDigitsToLong(hex, 0, LONG_DIGITS),
                HexFormat.fromHexDigitsToLong(hex, LONG_DIGITS, 2 * LONG_DIGITS));
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
