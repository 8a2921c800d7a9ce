package io.lockstep.order;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The 128-bit key of a random stream, as two 64-bit words. */
public record RandomKey(long word0, long word1) {

    private static final byte[] PREFIX = "order/1\0".getBytes(StandardCharsets.US_ASCII);

    /**
     * Derives a key: the first 16 bytes, little-endian, of SHA-256 over {@code "order/1" 00 purpose
     * 00 seed epoch index}, with the purpose in UTF-8 and the numbers as unsigned little-endian
     * words.
     */
    public static RandomKey derive(long seed, String purpose, long epoch, long index) {
        byte[] name = purpose.getBytes(StandardCharsets.UTF_8);
        ByteBuffer text =
                ByteBuffer.allocate(PREFIX.length + name.length + 1 + 3 * Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(PREFIX)
                        .put(name)
                        .put((byte) 0)
                        .putLong(seed)
                        .putLong(epoch)
                        .putLong(index);
        ByteBuffer digest =
                ByteBuffer.wrap(sha256().digest(text.array())).order(ByteOrder.LITTLE_ENDIAN);
        return new RandomKey(digest.getLong(), digest.getLong());
    }

    /** Derives the key of the streams of samples under the name of a transform's instance. */
    static RandomKey ofSamples(long seed, String name, long epoch) {
        return derive(seed, "transform/" + name, epoch, 0);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
