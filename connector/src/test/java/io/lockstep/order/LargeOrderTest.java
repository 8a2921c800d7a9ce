package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests a dataset far larger than memory: 2 * 10^11 rows in a million row groups. */
class LargeOrderTest {

    private static final int ROW_GROUPS = 1_000_000;
    private static final int LANES = 1536;

    private static Order order(Shuffle shuffle) {
        long[] rows = new long[ROW_GROUPS];
        Arrays.fill(rows, 200_017);
        return new Order(new OrderSettings(11, LANES, LANES * 100, 1, shuffle, Tail.DROP), rows);
    }

    @ParameterizedTest
    @EnumSource(Shuffle.class)
    void anyPlaceAndAnySampleAreFoundFromEachOther(Shuffle shuffle) {
        Order order = order(shuffle);
        long last = order.steps() - 1;
        for (int lane : new int[] {0, 777, LANES - 1}) {
            LaneEpoch epoch = order.laneEpoch(3, lane);
            for (long step : new long[] {0, last / 3, last}) {
                Stretch first = epoch.stretches(step).get(0);
                Window window = epoch.windows().get(first.window());
                WindowOrder permuted = window.permute();
                int i = first.from();
                Slice slice = window.slices().get(permuted.slice(i));
                long row = permuted.rowInGroup(i);
                long sample = order.firstSample(slice.rowGroup()) + row;
                assertThat(order.locate(3, sample))
                        .isEqualTo(new Place(sample, slice.rowGroup(), row, lane, step, 0));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Shuffle.class)
    void lanesAreTheSameWhicheverThreadAsksForThemInWhicheverOrder(Shuffle shuffle)
            throws Exception {
        Order shared = order(shuffle);
        Order alone = order(shuffle);
        List<Callable<Boolean>> questions =
                IntStream.range(0, 24).mapToObj(i -> question(shared, alone, i)).toList();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (Future<Boolean> same : threads.invokeAll(questions)) {
                assertThat(same.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Callable<Boolean> question(Order shared, Order alone, int number) {
        int epoch = number % 3;
        int lane = number * 64 % LANES;
        LaneEpoch expected = alone.laneEpoch(epoch, lane);
        return () -> haveSameSlices(shared.laneEpoch(epoch, lane), expected);
    }

    /**
     * Compares window by window: sequential lanes make theirs when they are read, a million each.
     */
    private static boolean haveSameSlices(LaneEpoch one, LaneEpoch other) {
        Iterator<Window> others = other.windows().iterator();
        for (Window window : one.windows()) {
            if (!others.hasNext() || !window.slices().equals(others.next().slices())) {
                return false;
            }
        }
        return !others.hasNext();
    }
}
