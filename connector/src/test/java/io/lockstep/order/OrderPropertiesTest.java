package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests properties of every order on random cases. */
class OrderPropertiesTest {

    static Stream<RandomCase> cases() {
        return RandomCase.valid(250);
    }

    static Stream<RandomCase> casesWithRowsPerLane() {
        return cases().filter(RandomCase::hasOwnRowsPerLane);
    }

    static Stream<RandomCase> sequentialCases() {
        return cases().filter(drawn -> !drawn.hasOwnRowsPerLane());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everySampleIsServedAtMostOnceAndUnderPadExactlyOnce(RandomCase drawn) {
        Order order = drawn.order();
        List<Long> unmarked = new ArrayList<>();
        forEachPlace(
                drawn,
                (plan, lane, place) -> {
                    if (!plan.isPadding(lane, place)) {
                        unmarked.add(plan.sample(lane, place));
                    }
                });
        assertThat(unmarked).doesNotHaveDuplicates();
        if (order.settings().tail() == Tail.PAD) {
            assertThat(unmarked).hasSize((int) order.totalRows());
        } else {
            assertThat(unmarked).hasSize((int) order.steps() * order.settings().batch());
        }
        assertThat(unmarked).allMatch(sample -> sample >= 0 && sample < order.totalRows());
    }

    @ParameterizedTest
    @MethodSource("casesWithRowsPerLane")
    void paddingRepeatsALaneFromItsFirstSample(RandomCase drawn) {
        Order order = drawn.order();
        int perLane = order.settings().perLane();
        StepReader reader = new StepReader(order, drawn.epoch());
        forEachPlace(
                drawn,
                (plan, lane, place) -> {
                    long rows = order.laneEpoch(drawn.epoch(), lane).rows();
                    long position = plan.step() * perLane + place;
                    assertThat(plan.isPadding(lane, place)).isEqualTo(position >= rows);
                    long repeated = position % rows;
                    assertThat(plan.sample(lane, place))
                            .isEqualTo(
                                    reader.step(repeated / perLane)
                                            .sample(lane, (int) (repeated % perLane)));
                });
    }

    @ParameterizedTest
    @MethodSource("cases")
    void ranksOfEveryWorldMakeTheSameGlobalBatch(RandomCase drawn) {
        Order order = drawn.order();
        int lanes = order.settings().lanes();
        StepPlan plan = order.step(drawn.epoch(), order.steps() / 2);
        for (int world = 1; world <= lanes; world++) {
            boolean even = order.settings().worldSizes().contains(world);
            List<Long> global = new ArrayList<>();
            for (int rank = 0; rank < world; rank++) {
                int[] served = order.rankLanes(rank, world, !even);
                assertThat(served[0]).isEqualTo(Order.firstLane(rank, world, lanes));
                if (even) {
                    assertThat(served).hasSize(lanes / world);
                }
                for (int lane : served) {
                    for (int place = 0; place < order.settings().perLane(); place++) {
                        global.add(plan.sample(lane, place));
                    }
                }
            }
            assertThat(global.stream().mapToLong(Long::longValue).toArray())
                    .isEqualTo(samples(plan, order.settings()));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void locateIsTheInverse(RandomCase drawn) {
        Order order = drawn.order();
        long[] steps = new long[(int) order.totalRows()];
        Arrays.fill(steps, -1);
        forEachPlace(
                drawn,
                (plan, lane, place) -> {
                    if (!plan.isPadding(lane, place)) {
                        Place found = order.locate(drawn.epoch(), plan.sample(lane, place));
                        assertThat(found)
                                .isEqualTo(
                                        new Place(
                                                plan.sample(lane, place),
                                                plan.rowGroup(lane, place),
                                                plan.row(lane, place),
                                                lane,
                                                plan.step(),
                                                place));
                        steps[(int) plan.sample(lane, place)] = plan.step();
                    }
                });
        for (int sample = 0; sample < steps.length; sample++) {
            Place found = order.locate(drawn.epoch(), sample);
            assertThat(found.step()).isEqualTo(steps[sample]);
            assertThat(found.dropped()).isEqualTo(steps[sample] < 0);
            assertThat(found.place()).isBetween(0, order.settings().perLane() - 1);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void anyStepCanBeReadWithoutWhatPrecedesIt(RandomCase drawn) {
        Order order = drawn.order();
        StepReader inSequence = new StepReader(order, drawn.epoch());
        StepReader mixed = new StepReader(order, drawn.epoch());
        List<Long> steps = new ArrayList<>(LongStream.range(0, order.steps()).boxed().toList());
        Collections.shuffle(steps, new Random(drawn.drawnFrom()));
        List<long[]> read = new ArrayList<>(Collections.nCopies(steps.size(), null));
        for (long step : steps) {
            read.set((int) step, samples(mixed.step(step), order.settings()));
        }
        for (int step = 0; step < read.size(); step++) {
            long[] expected = samples(inSequence.step(step), order.settings());
            assertThat(read.get(step)).isEqualTo(expected);
            assertThat(samples(drawn.order().step(drawn.epoch(), step), order.settings()))
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("casesWithRowsPerLane")
    void windowsCoverTheLanesRowsOneAfterAnother(RandomCase drawn) {
        Order order = drawn.order();
        long rows = 0;
        for (int lane = 0; lane < order.settings().lanes(); lane++) {
            LaneEpoch epoch = order.laneEpoch(drawn.epoch(), lane);
            long position = 0;
            for (Window window : epoch.windows()) {
                assertThat(window.firstPosition()).isEqualTo(position);
                assertThat(window.slices()).hasSizeBetween(1, order.settings().window());
                assertThat(window.slices().stream().mapToLong(Slice::rows).sum())
                        .isEqualTo(window.rows());
                for (long at = position; at < position + window.rows(); at++) {
                    assertThat(epoch.windowAt(at)).isEqualTo(window.number());
                }
                position += window.rows();
            }
            assertThat(epoch.rows()).isEqualTo(position).isPositive();
            rows += position;
        }
        assertThat(rows).isEqualTo(order.totalRows());
    }

    @ParameterizedTest
    @MethodSource("sequentialCases")
    void aSequentialBatchHoldsConsecutiveRowsOfTheDataset(RandomCase drawn) {
        Order order = drawn.order();
        StepReader reader = new StepReader(order, drawn.epoch());
        for (long step = 0; step < order.steps(); step++) {
            StepPlan plan = reader.step(step);
            for (int i = 0; i < order.settings().batch(); i++) {
                int lane = i / order.settings().perLane();
                int place = i % order.settings().perLane();
                long row = step * order.settings().batch() + i;
                assertThat(plan.sample(lane, place)).isEqualTo(row % order.totalRows());
                assertThat(plan.isPadding(lane, place)).isEqualTo(row >= order.totalRows());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theWindowAfterAStepIsTheNextThatItsLaneNeeds(RandomCase drawn) {
        Order order = drawn.order();
        for (int lane = 0; lane < order.settings().lanes(); lane++) {
            LaneEpoch epoch = order.laneEpoch(drawn.epoch(), lane);
            for (long step = 0; step + 1 < order.steps(); step++) {
                int last = last(epoch.stretches(step));
                int after = epoch.windowAfter(step);
                assertThat(after == -1 || after > last).isTrue();
                int firstOfNext = epoch.stretches(step + 1).get(0).window();
                if (firstOfNext > last) {
                    assertThat(after).isEqualTo(firstOfNext);
                }
            }
        }
    }

    private static int last(List<Stretch> stretches) {
        return stretches.stream().mapToInt(Stretch::window).max().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rowsOfAWindowReadTogetherAreThoseReadOneByOne(RandomCase drawn) {
        for (Window window : drawn.order().laneEpoch(drawn.epoch(), 0).windows()) {
            WindowOrder order = window.permute();
            int[] slices = new int[order.rows() + 1];
            int[] rows = new int[order.rows() + 1];
            int half = order.rows() / 2;
            order.read(0, half, slices, rows, 1);
            order.read(half, order.rows() - half, slices, rows, 1 + half);
            for (int i = 0; i < order.rows(); i++) {
                Slice slice = window.slices().get(order.slice(i));
                assertThat(slice.holds(slice.rowGroup(), order.rowInGroup(i))).isTrue();
                assertThat(slices[1 + i]).isEqualTo(order.slice(i));
                assertThat(rows[1 + i]).isEqualTo((int) order.rowInGroup(i));
            }
        }
    }

    private static long[] samples(StepPlan plan, OrderSettings settings) {
        return IntStream.range(0, settings.batch())
                .mapToLong(i -> plan.sample(i / settings.perLane(), i % settings.perLane()))
                .toArray();
    }

    private static void forEachPlace(RandomCase drawn, PlaceCheck check) {
        Order order = drawn.order();
        StepReader reader = new StepReader(order, drawn.epoch());
        for (long step = 0; step < order.steps(); step++) {
            StepPlan plan = reader.step(step);
            for (int lane = 0; lane < order.settings().lanes(); lane++) {
                for (int place = 0; place < order.settings().perLane(); place++) {
                    check.at(plan, lane, place);
                }
            }
        }
    }

    private interface PlaceCheck {
        void at(StepPlan plan, int lane, int place);
    }
}
