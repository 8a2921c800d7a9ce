package io.lockstep.digest;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

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
        return at(hex, 0);
    }

    /** Digests one after the other, as one text: {@link #toString()} of each. */
    public static String join(List<Digest128> digests) {
        ByteBuffer bytes = ByteBuffer.allocate(digests.size() * BYTES);
        digests.forEach(digest -> bytes.putLong(digest.high).putLong(digest.low));
        return HEX.formatHex(bytes.array());
    }

    /**
     * Reads what {@link #join} writes.
     *
     * @throws IllegalArgumentException where it is not 32 hexadecimal digits for each
     */
    public static List<Digest128> split(String hex) {
        if (hex.length() % (2 * LONG_DIGITS) != 0) {
            throw new IllegalArgumentException(
                    "Digests have 32 hexadecimal digits each, not " + hex.length() + " together");
        }
        List<Digest128> digests = new ArrayList<>(hex.length() / (2 * LONG_DIGITS));
        for (int at = 0; at < hex.length(); at += 2 * LONG_DIGITS) {
            digests.add(at(hex, at));
        }
        return digests;
    }

    private static Digest128 at(String hex, int start) {
        int middle = start + LONG_DIGITS;
        return new Digest128(
                HexFormat.fromHexDigitsToLong(hex, start, middle),
                HexFormat.fromHexDigitsToLong(hex, middle, middle + LONG_DIGITS));
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
