package io.lockstep.order;

import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A small dataset with settings and an epoch, drawn from a seed so that failures are reproducible.
 */
record RandomCase(long drawnFrom, OrderSettings settings, long[] rows, long epoch) {

    /** Returns cases that may or may not yield an order. */
    static Stream<RandomCase> any(int count) {
        return IntStream.range(0, count).mapToObj(RandomCase::draw);
    }

    /** Returns those of the first {@code count} cases that yield an order. */
    static Stream<RandomCase> valid(int count) {
        return any(count).filter(RandomCase::makesAnOrder);
    }

    /** Returns whether each lane reads its own part of the dataset. */
    boolean hasOwnRowsPerLane() {
        return settings.shuffle() != Shuffle.SEQUENTIAL;
    }

    Order order() {
        return new Order(settings, rows);
    }

    long totalRows() {
        return IntStream.range(0, rows.length).mapToLong(i -> rows[i]).sum();
    }

    boolean makesAnOrder() {
        long least = settings.tail() == Tail.DROP ? settings.batch() : settings.lanes();
        return totalRows() >= Math.max(1, least);
    }

    private static RandomCase draw(int number) {
        Random random = new Random(number);
        int most = 1 + random.nextInt(40);
        long[] rows = new long[1 + random.nextInt(20)];
        for (int group = 0; group < rows.length; group++) {
            rows[group] = random.nextInt(4) == 0 ? 0 : random.nextInt(most);
        }
        int lanes = 1 + random.nextInt(9);
        OrderSettings settings =
                new OrderSettings(
                        random.nextLong(),
                        lanes,
                        lanes * (1 + random.nextInt(7)),
                        random.nextInt(5) == 0 ? 1000 : 1 + random.nextInt(6),
                        Shuffle.values()[random.nextInt(Shuffle.values().length)],
                        Tail.values()[random.nextInt(2)]);
        long epoch = random.nextInt(5) == 0 ? random.nextLong() >>> 1 : random.nextInt(4);
        return new RandomCase(number, settings, rows, epoch);
    }

    @Override
    public String toString() {
        return "case " + drawnFrom + ": " + settings.toMap() + " of " + totalRows() + " rows";
    }
}
