package io.lockstep.order;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Divisors of a positive number: the valid numbers of lanes for a batch and of ranks for the lanes.
 */
final class Divisors {

    private Divisors() {}

    /** Returns all divisors, ascending. */
    static List<Integer> of(int number) {
        int[] small =
                IntStream.rangeClosed(1, (int) Math.sqrt(number))
                        .filter(divisor -> number % divisor == 0)
                        .toArray();
        IntStream large = IntStream.of(small).map(divisor -> number / divisor);
        return IntStream.concat(IntStream.of(small), large).sorted().distinct().boxed().toList();
    }

    /** Returns the largest divisor that is at most {@code limit}, which must be at least 1. */
    static int largestUpTo(int number, long limit) {
        return of(number).stream()
                .filter(divisor -> divisor <= limit)
                .reduce(1, (former, later) -> later);
    }

    /**
     * Returns the smallest divisor that is at least {@code limit}, or the number itself if all are
     * smaller.
     */
    static int smallestFrom(int number, long limit) {
        return of(number).stream().filter(divisor -> divisor >= limit).findFirst().orElse(number);
    }
}
