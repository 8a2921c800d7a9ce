package io.lockstep.order;

import java.util.List;
import java.util.stream.IntStream;

/** The divisors of a positive number: what lanes of a batch and world sizes of lanes may be. */
final class Divisors {

    private Divisors() {}

    /** All of them, ascending. */
    static List<Integer> of(int number) {
        int[] small =
                IntStream.rangeClosed(1, (int) Math.sqrt(number))
                        .filter(divisor -> number % divisor == 0)
                        .toArray();
        IntStream large = IntStream.of(small).map(divisor -> number / divisor);
        return IntStream.concat(IntStream.of(small), large).sorted().distinct().boxed().toList();
    }

    /** The largest that is at most a limit of at least 1. */
    static int largestUpTo(int number, long limit) {
        return of(number).stream()
                .filter(divisor -> divisor <= limit)
                .reduce(1, (former, later) -> later);
    }

    /** The least that is at least a limit; the number itself where all are below the limit. */
    static int leastFrom(int number, long limit) {
        return of(number).stream().filter(divisor -> divisor >= limit).findFirst().orElse(number);
    }
}
