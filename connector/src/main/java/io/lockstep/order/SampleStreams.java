package io.lockstep.order;

/**
 * The random streams of a batch of samples under one name. Each sample draws from the stream of
 * {@link RandomStream#ofSample}, whatever the other samples of the batch are, and each call
 * continues where the last one ended.
 *
 * <p>Results are row-major: with {@code count} numbers a sample, those of sample i start at {@code
 * i * count}. A number takes one word of its sample's stream, and an integer one more for each word
 * that is rejected. The results of all methods are the same bits in any language; {@code
 * docs/random-streams.md} defines them.
 *
 * <p>Takes 40 bytes a sample. Not thread-safe.
 */
public final class SampleStreams {

    private static final int BLOCK = 4;

    private final RandomKey key;
    private final long[] samples;

    /** The number of words that each sample has drawn. */
    private final long[] drawn;

    /** The block of each sample's last word. */
    private final long[] blocks;

    /**
     * Creates the streams at their first word.
     *
     * @param seed of the run's order
     * @param name of the transform's instance, such as {@code train/jitter}
     * @param samples their ids, which are not copied and must not change
     */
    public SampleStreams(long seed, String name, long epoch, long[] samples) {
        this.key = RandomKey.ofSamples(seed, name, epoch);
        this.samples = samples;
        this.drawn = new long[samples.length];
        this.blocks = new long[BLOCK * samples.length];
    }

    /** Writes the next {@code count} words of each sample. */
    public void words(int count, long[] out) {
        check(count, out.length);
        for (int i = 0; i < samples.length; i++) {
            words(i, out, i * count, (i + 1) * count);
        }
    }

    /** Writes {@code count} numbers in [0, 1) for each sample: a word's upper 53 bits / 2^53. */
    public void uniform(int count, double[] out) {
        check(count, out.length);
        for (int i = 0, at = 0; i < samples.length; i++) {
            for (int end = at + count; at < end; at++) {
                out[at] = UniformNumber.ofDouble(next(i));
            }
        }
    }

    /** Writes {@code count} numbers in [0, 1) for each sample: a word's upper 24 bits / 2^24. */
    public void uniform(int count, float[] out) {
        check(count, out.length);
        for (int i = 0, at = 0; i < samples.length; i++) {
            for (int end = at + count; at < end; at++) {
                out[at] = UniformNumber.ofFloat(next(i));
            }
        }
    }

    /**
     * Writes {@code count} uniform integers in [0, n) for each sample.
     *
     * @param n at least 1
     */
    public void integers(long n, int count, long[] out) {
        if (n < 1) {
            throw new IllegalArgumentException("integers in [0, " + n + ") do not exist");
        }
        check(count, out.length);
        for (int i = 0, at = 0; i < samples.length; i++) {
            for (int end = at + count; at < end; at++) {
                out[at] = below(i, n);
            }
        }
    }

    /**
     * Writes a permutation of [0, n) for each sample, by Fisher-Yates from the last index down to
     * index 1: index i is swapped with an integer in [0, i].
     */
    public void permutations(int n, int[] out) {
        check(n, out.length);
        for (int i = 0; i < samples.length; i++) {
            int first = i * n;
            for (int k = 0; k < n; k++) {
                out[first + k] = k;
            }
            for (int k = n - 1; k > 0; k--) {
                int j = (int) below(i, k + 1L);
                int swapped = out[first + k];
                out[first + k] = out[first + j];
                out[first + j] = swapped;
            }
        }
    }

    /**
     * Writes {@code count} standard normal numbers for each sample: the quantile at a word's upper
     * 53 bits, with an error below 4e-15.
     */
    public void normal(int count, double[] out) {
        check(count, out.length);
        for (int i = 0, at = 0; i < samples.length; i++) {
            for (int end = at + count; at < end; at++) {
                out[at] = NormalNumber.of(next(i));
            }
        }
    }

    private void words(int sample, long[] out, int from, int to) {
        int at = from;
        while (at < to && drawn[sample] % BLOCK != 0) {
            out[at++] = next(sample);
        }
        for (; at <= to - BLOCK; at += BLOCK) {
            block(sample, out, at);
            drawn[sample] += BLOCK;
        }
        while (at < to) {
            out[at++] = next(sample);
        }
    }

    private long below(int sample, long n) {
        long word = next(sample);
        while (!BoundedInteger.accepts(word, n)) {
            word = next(sample);
        }
        return BoundedInteger.of(word, n);
    }

    private long next(int sample) {
        int used = (int) (drawn[sample] % BLOCK);
        if (used == 0) {
            block(sample, blocks, BLOCK * sample);
        }
        drawn[sample]++;
        return blocks[BLOCK * sample + used];
    }

    private void block(int sample, long[] out, int at) {
        // The counter is incremented before each block.
        long counter = drawn[sample] / BLOCK + 1;
        Philox4x64.block(counter, 0, samples[sample], 0, key, out, at);
    }

    private void check(int count, int places) {
        if (count < 0 || (long) samples.length * count > places) {
            throw new IllegalArgumentException(
                    String.format(
                            "%d numbers for each of %d samples do not fit into an array of %d",
                            count, samples.length, places));
        }
    }
}
