package io.lockstep.order;

/**
 * A stream of raw 64-bit words for a key. The counter is incremented before each block, so the
 * words equal {@code numpy.random.Philox(key=key, counter=counter).random_raw()}. Not thread-safe.
 */
public final class RandomStream {

    /**
     * The number of indices that a permutation draws before it swaps, so that the memory accesses
     * overlap.
     */
    private static final int AHEAD = 64;

    private final RandomKey key;
    private final long[] block = new long[4];
    private long c0;
    private long c1;
    private long c2;
    private long c3;
    private int used = 4;

    /** Creates a stream that starts at counter 0. */
    public RandomStream(RandomKey key) {
        this(key, 0, 0, 0, 0);
    }

    /** Creates a stream that starts at a counter of four words, least significant first. */
    public RandomStream(RandomKey key, long c0, long c1, long c2, long c3) {
        this.key = key;
        this.c0 = c0;
        this.c1 = c1;
        this.c2 = c2;
        this.c3 = c3;
    }

    /**
     * Returns the stream that seeds the trainers' own generators at a step, for the rank with the
     * given first lane.
     */
    public static RandomStream ofStep(long seed, long epoch, long step, int firstLane) {
        return new RandomStream(RandomKey.derive(seed, "step", epoch, step), 0, 0, firstLane, 0);
    }

    /**
     * Returns the stream from which a random transform draws for one sample, wherever it is
     * computed.
     */
    public static RandomStream ofSample(long seed, String transform, long epoch, long sample) {
        return new RandomStream(RandomKey.ofSamples(seed, transform, epoch), 0, 0, sample, 0);
    }

    /** Returns the next word. */
    public long next() {
        if (used == block.length) {
            increment();
            Philox4x64.block(c0, c1, c2, c3, key, block, 0);
            used = 0;
        }
        return block[used++];
    }

    /** Returns a uniform number in [0, n), for n of at least 1, from the first word accepted. */
    public long below(long n) {
        long word = next();
        while (!BoundedInteger.accepts(word, n)) {
            word = next();
        }
        return BoundedInteger.of(word, n);
    }

    /** Returns a permutation of [0, n), by Fisher-Yates from the last index down to index 1. */
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
