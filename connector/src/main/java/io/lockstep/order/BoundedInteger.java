package io.lockstep.order;

/**
 * Uniform integers in [0, n) from 64-bit words, for n from 1 to 2^63 - 1: the upper half of the
 * product of word and n. The words that would introduce bias are rejected, and the stream's next
 * word takes their place (Lemire, "Fast random integer generation in an interval", 2019).
 */
final class BoundedInteger {

    private BoundedInteger() {}

    /** Whether the lower half of the product of word and n is at least 2^64 mod n. */
    static boolean accepts(long word, long n) {
        long low = word * n;
        // 2^64 mod n is less than n: most words need no division.
        return Long.compareUnsigned(low, n) >= 0
                || Long.compareUnsigned(low, Long.remainderUnsigned(-n, n)) >= 0;
    }

    /** Returns the integer of an accepted word. */
    static long of(long word, long n) {
        return Philox4x64.multiplyHighUnsigned(word, n);
    }
}
