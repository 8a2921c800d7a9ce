package io.lockstep.digest;

import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.HexFormat;
import java.util.List;
import java.util.RandomAccess;

/**
 * Digests packed into one array. Digests of many steps are held until they are written to the run
 * directory, and one object each would burden the garbage collector. Immutable and thread-safe.
 */
public final class PackedDigests extends AbstractList<Digest128> implements RandomAccess {

    private static final int LONG_DIGITS = 2 * Long.BYTES;
    private static final HexFormat HEX = HexFormat.of();

    private final long[] halves;

    private PackedDigests(long[] halves) {
        this.halves = halves;
    }

    /** Returns the same digests packed; the list itself if it is already packed. */
    public static PackedDigests copyOf(List<Digest128> digests) {
        if (digests instanceof PackedDigests packed) {
            return packed;
        }
        long[] halves = new long[2 * digests.size()];
        int next = 0;
        for (Digest128 digest : digests) {
            halves[next++] = digest.high();
            halves[next++] = digest.low();
        }
        return new PackedDigests(halves);
    }

    /**
     * Parses the output of {@link #hex}.
     *
     * @throws IllegalArgumentException if the text is not 32 hexadecimal digits per digest
     */
    public static PackedDigests parse(String hex) {
        if (hex.length() % (2 * LONG_DIGITS) != 0) {
            throw new IllegalArgumentException(
                    "Digests have 32 hexadecimal digits each, not " + hex.length() + " together");
        }
        long[] halves = new long[hex.length() / LONG_DIGITS];
        for (int i = 0; i < halves.length; i++) {
            int start = i * LONG_DIGITS;
            halves[i] = HexFormat.fromHexDigitsToLong(hex, start, start + LONG_DIGITS);
        }
        return new PackedDigests(halves);
    }

    /** Reads the next digests, as written by {@link #putInto}. */
    public static PackedDigests read(ByteBuffer bytes, int count) {
        long[] halves = new long[2 * count];
        for (int i = 0; i < halves.length; i++) {
            halves[i] = bytes.getLong();
        }
        return new PackedDigests(halves);
    }

    /** Returns the concatenation of {@link Digest128#toString()} of all digests. */
    public String hex() {
        return HEX.formatHex(bytes());
    }

    /** Returns the concatenation of the 16-byte canonical forms of all digests. */
    public byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(halves.length * Long.BYTES);
        putInto(bytes);
        return bytes.array();
    }

    /** Writes the canonical forms of all digests. */
    public void putInto(ByteBuffer bytes) {
        for (long half : halves) {
            bytes.putLong(half);
        }
    }

    @Override
    public Digest128 get(int index) {
        return new Digest128(halves[2 * index], halves[2 * index + 1]);
    }

    @Override
    public int size() {
        return halves.length / 2;
    }
}
