package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is set aside for windows must hold every window of every epoch. */
class WindowNeedsTest {

    static Stream<RandomCase> cases() {
        return RandomCase.valid(100);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void holdsTheWindowsOfAllLanesInAnyEpoch(RandomCase drawn) {
        Order order = drawn.order();
        List<Integer> lanes = IntStream.range(0, order.settings().lanes()).boxed().toList();
        long needed = WindowNeeds.bytes(order, lanes, WindowNeedsTest::bytes);
        for (long epoch = 0; epoch < 3; epoch++) {
            assertThat(needed).isGreaterThanOrEqualTo(largestWindows(order, epoch, lanes));
        }
        long dataset =
                IntStream.range(0, order.rowGroups()).mapToLong(WindowNeedsTest::bytes).sum();
        assertThat(needed).isPositive().isLessThanOrEqualTo(dataset);
    }

    /** The row groups of each lane's largest window, each once however many lanes share it. */
    private static long largestWindows(Order order, long epoch, List<Integer> lanes) {
        return lanes.stream()
                .map(lane -> largestWindow(order.laneEpoch(epoch, lane)))
                .flatMap(List::stream)
                .map(Slice::rowGroup)
                .distinct()
                .mapToLong(WindowNeedsTest::bytes)
                .sum();
    }

    private static List<Slice> largestWindow(LaneEpoch lane) {
        return lane.windows().stream()
                .map(Window::slices)
                .max(Comparator.comparingLong(WindowNeedsTest::bytes))
                .orElseThrow();
    }

    private static long bytes(List<Slice> slices) {
        return slices.stream().map(Slice::rowGroup).mapToLong(WindowNeedsTest::bytes).sum();
    }

    /** Row groups of different sizes, by number. */
    private static long bytes(int rowGroup) {
        return 100 + rowGroup * 37 % 50;
    }
}
