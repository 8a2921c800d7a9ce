package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests what the specification's vectors do not cover. */
class RandomStreamTest {

    private static final RandomKey KEY = RandomKey.derive(7, "test", 0, 0);

    @Test
    void theCounterCarriesIntoItsNextWord() {
        RandomStream carried = new RandomStream(KEY, -1, -1, 4, 9);
        assertNextBlockIs(carried, 0, 0, 5, 9);
        assertNextBlockIs(carried, 1, 0, 5, 9);
        assertNextBlockIs(new RandomStream(KEY, -1, -1, -1, -1), 0, 0, 0, 0);
    }

    @Test
    void productsAreUnsigned() {
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            long a = random.nextLong();
            long b = random.nextLong();
            assertThat(Philox4x64.multiplyHighUnsigned(a, b))
                    .isEqualTo(unsigned(a).multiply(unsigned(b)).shiftRight(64).longValue());
        }
    }

    @Test
    void permutationsOfAnySizeAreThoseOfTheDefinition() {
        for (int size : new int[] {0, 1, 2, 63, 64, 65, 66, 128, 129, 1000, 4097}) {
            assertThat(RandomStream.permutation(size, KEY)).isEqualTo(defined(size));
        }
    }

    /**
     * Fisher-Yates from the last index down to index 1, drawing and swapping one index at a time.
     */
    private static int[] defined(int size) {
        RandomStream stream = new RandomStream(KEY);
        int[] order = IntStream.range(0, size).toArray();
        for (int i = size - 1; i > 0; i--) {
            int j = (int) stream.below(i + 1L);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return order;
    }

    private static void assertNextBlockIs(RandomStream stream, long c0, long c1, long c2, long c3) {
        long[] block = new long[4];
        Philox4x64.block(c0, c1, c2, c3, KEY, block, 0);
        assertThat(Arrays.stream(new long[4]).map(zero -> stream.next()).toArray())
                .isEqualTo(block);
    }

    private static BigInteger unsigned(long word) {
        return new BigInteger(Long.toUnsignedString(word));
    }
}
