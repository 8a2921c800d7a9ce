package io.lockstep.order;

/**
 * A stream of raw 64-bit words under a key, the counter incremented before each block: what {@code
 * numpy.random.Philox(key=key, counter=counter).random_raw()} gives. Not thread-safe.
 */
public final class RandomStream {

    /**
     * Places that a permutation draws before it swaps, so that the memory answers them together.
     */
    private static final int AHEAD = 64;

    private final RandomKey key;
    private final long[] block = new long[4];
    private long c0;
    private long c1;
    private long c2;
    private long c3;
    private int used = 4;

    /** A stream from counter 0. */
    public RandomStream(RandomKey key) {
        this(key, 0, 0, 0, 0);
    }

    /** A stream from a counter of four words, the least significant first. */
    public RandomStream(RandomKey key, long c0, long c1, long c2, long c3) {
        this.key = key;
        this.c0 = c0;
        this.c1 = c1;
        this.c2 = c2;
        this.c3 = c3;
    }

    /** What seeds the trainers' own generators at a step, on the rank whose first lane is given. */
    public static RandomStream ofStep(long seed, long epoch, long step, int firstLane) {
        return new RandomStream(RandomKey.derive(seed, "step", epoch, step), 0, 0, firstLane, 0);
    }

    /** What a random transform draws from for one sample, wherever it is computed. */
    public static RandomStream ofSample(long seed, String transform, long epoch, long sample) {
        return new RandomStream(
                RandomKey.derive(seed, "transform/" + transform, epoch, 0), 0, 0, sample, 0);
    }

    /** The next word. */
    public long next() {
        if (used == block.length) {
            increment();
            Philox4x64.block(c0, c1, c2, c3, key, block);
            used = 0;
        }
        return block[used++];
    }

    /**
     * A uniform number in [0, n) for n of at least 1: multiply-shift, with the words rejected that
     * would make it uneven (Lemire, "Fast random integer generation in an interval", 2019).
     */
    public long below(long n) {
        long word = next();
        long low = word * n;
        if (Long.compareUnsigned(low, n) < 0) {
            long threshold = Long.remainderUnsigned(-n, n);
            while (Long.compareUnsigned(low, threshold) < 0) {
                word = next();
                low = word * n;
            }
        }
        return Philox4x64.multiplyHighUnsigned(word, n);
    }

    /** A permutation of [0, n): Fisher-Yates from the last place down to place 1. */
    static int[] permutation(int n, RandomKey key) {
        RandomStream stream = new RandomStream(key);
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        int[] drawn = new int[AHEAD];
        for (int i = n - 1; i > 0; ) {
            int count = Math.min(AHEAD, i);
            for (int k = 0; k < count; k++) {
                drawn[k] = (int) stream.below(i - k + 1L);
            }
            for (int k = 0; k < count; k++, i--) {
                int j = drawn[k];
                int swapped = order[i];
                order[i] = order[j];
                order[j] = swapped;
            }
        }
        return order;
    }

    private void increment() {
        if (++c0 == 0 && ++c1 == 0 && ++c2 == 0) {
            c3++;
        }
    }
}
