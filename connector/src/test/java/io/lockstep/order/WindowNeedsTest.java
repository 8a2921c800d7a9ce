package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the memory reserved for windows suffices for every step, at any position of each lane.
 */
class WindowNeedsTest {

    static Stream<RandomCase> cases() {
        return RandomCase.valid(150);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void holdsTheWindowsOfAnyStepOfEachLane(RandomCase drawn) {
        Order order = drawn.order();
        List<Integer> lanes = IntStream.range(0, order.settings().lanes()).boxed().toList();
        long needed = WindowNeeds.bytes(order, lanes, WindowNeedsTest::bytes);
        assertThat(needed).isLessThanOrEqualTo(bytes(IntStream.range(0, order.rowGroups())));
        for (long epoch = 0; epoch < 3; epoch++) {
            Set<Integer> atOnce = new HashSet<>();
            for (int lane : lanes) {
                LaneEpoch laneEpoch = order.laneEpoch(epoch, lane);
                Set<Integer> largest = largestStep(order, laneEpoch);
                long alone = WindowNeeds.bytes(order, List.of(lane), WindowNeedsTest::bytes);
                assertThat(alone).isGreaterThanOrEqualTo(bytes(largest));
                atOnce.addAll(largest);
            }
            assertThat(needed).isGreaterThanOrEqualTo(bytes(atOnce));
        }
    }

    /** Returns the row groups in the windows of the lane's step that takes the most bytes. */
    private static Set<Integer> largestStep(Order order, LaneEpoch lane) {
        return LongStream.range(0, order.steps())
                .mapToObj(step -> rowGroupsAtHand(lane, step))
                .max(Comparator.comparingLong(WindowNeedsTest::bytes))
                .orElseThrow();
    }

    private static Set<Integer> rowGroupsAtHand(LaneEpoch lane, long step) {
        return lane.stretches(step).stream()
                .map(stretch -> lane.windows().get(stretch.window()))
                .flatMap(window -> window.slices().stream())
                .map(Slice::rowGroup)
                .collect(Collectors.toSet());
    }

    private static long bytes(Set<Integer> rowGroups) {
        return bytes(rowGroups.stream().mapToInt(Integer::intValue));
    }

    private static long bytes(IntStream rowGroups) {
        return rowGroups.mapToLong(WindowNeedsTest::bytes).sum();
    }

    /** Returns a size that differs by row group. */
    private static long bytes(int rowGroup) {
        return 100 + rowGroup * 37 % 50;
    }
}
