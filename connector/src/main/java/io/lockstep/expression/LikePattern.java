package io.lockstep.expression;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import javax.annotation.Nullable;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * A pattern of {@code like}: {@code %} matches any characters, {@code _} one character. Matching
 * takes at most the product of the lengths of string and pattern.
 */
final class LikePattern {

    private final byte[] bytes;

    /** The bytes that stand for any characters, or for one. */
    private final BitSet any;

    private final BitSet one;

    private LikePattern(byte[] bytes, BitSet any, BitSet one) {
        this.bytes = bytes;
        this.any = any;
        this.one = one;
    }

    /**
     * @param escape takes the meaning from the next character, as a code point; null for none
     * @throws IllegalArgumentException if the escape is followed by neither %, _ nor itself
     */
    static LikePattern of(String pattern, @Nullable Integer escape) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BitSet any = new BitSet();
        BitSet one = new BitSet();
        int[] characters = pattern.codePoints().toArray();
        for (int i = 0; i < characters.length; i++) {
            int c = characters[i];
            boolean escaped = escape != null && c == escape;
            if (escaped) {
                i++;
                c = i < characters.length ? characters[i] : -1;
                if (c != '%' && c != '_' && c != escape) {
                    throw new IllegalArgumentException(
                            "in the pattern, the escape character stands only before %, _ and"
                                    + " itself");
                }
            } else if (c == '%') {
                any.set(bytes.size());
            } else if (c == '_') {
                one.set(bytes.size());
            }
            bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
        }
        return new LikePattern(bytes.toByteArray(), any, one);
    }

    /** Whether a string in UTF-8 matches as a whole. */
    boolean matches(long address, int length) {
        int at = 0;
        int next = 0;
        // Where to go on after a mismatch: the last % takes one character more.
        int retry = -1;
        int retryNext = -1;
        while (at < length) {
            if (next < bytes.length && any.get(next)) {
                next++;
                retry = at;
                retryNext = next;
            } else if (next < bytes.length && one.get(next)) {
                at = after(address, at, length);
                next++;
            } else if (next < bytes.length && MemoryUtil.getByte(address + at) == bytes[next]) {
                at++;
                next++;
            } else if (retry >= 0) {
                retry = after(address, retry, length);
                at = retry;
                next = retryNext;
            } else {
                return false;
            }
        }
        while (next < bytes.length && any.get(next)) {
            next++;
        }
        return next == bytes.length;
    }

    /** Returns the position after a character. */
    private static int after(long address, int at, int length) {
        int next = at + 1;
        while (next < length && (MemoryUtil.getByte(address + next) & 0xC0) == 0x80) {
            next++;
        }
        return next;
    }
}
