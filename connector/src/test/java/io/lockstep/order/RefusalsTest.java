package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that rejected settings come with alternatives, and that these work. */
class RefusalsTest {

    @Test
    void numbersBelowOne() {
        refused(() -> settings(0, 16, 2, Tail.DROP), "lanes is 0: it must be at least 1");
        refused(() -> settings(4, -16, 2, Tail.DROP), "batch is -16: it must be at least 1");
        refused(() -> settings(4, 16, 0, Tail.DROP), "window is 0: it must be at least 1");
    }

    @Test
    void batchThatIsNoMultipleOfTheLanes() {
        refused(
                () -> settings(7, 100, 2, Tail.DROP),
                "batch 100 is not a multiple of 7 lanes: choose 5 or 10 lanes, or a batch of 98 or 105");
        refused(
                () -> settings(16, 10, 2, Tail.DROP),
                "batch 10 is not a multiple of 16 lanes: choose 10 lanes, or a batch of 16");
        refused(
                () -> settings(Integer.MAX_VALUE, 2, 2, Tail.DROP),
                "batch 2 is not a multiple of 2147483647 lanes: choose 2 lanes, or a batch of 2147483647");
        for (int lanes : new int[] {5, 10}) {
            assertThat(settings(lanes, 100, 2, Tail.DROP).perLane()).isEqualTo(100 / lanes);
        }
    }

    @Test
    void datasetWithoutRows() {
        refused(
                () -> order(4, 16, Tail.PAD, 0, 0),
                "the dataset has no rows in its 2 row groups: choose data with at least one row");
        refused(
                () -> order(4, 16, Tail.DROP),
                "the dataset has no rows in its 0 row groups: choose data with at least one row");
    }

    @Test
    void notOneStep() {
        refused(
                () -> order(4, 16, Tail.DROP, 10, 5),
                "not one step: the dataset has 15 rows, a batch takes 16 and tail: drop serves only"
                        + " whole batches: choose a batch of at most 12, or tail: pad");
        assertThat(order(4, 12, Tail.DROP, 10, 5).steps()).isEqualTo(1);
        assertThat(order(4, 16, Tail.PAD, 10, 5).steps()).isEqualTo(1);
    }

    @Test
    void notOneStepAndFewerRowsThanLanes() {
        refused(
                () -> order(8, 16, Tail.DROP, 3, 4),
                "not one step: the dataset has 7 rows, a batch takes 16 and tail: drop serves only"
                        + " whole batches: choose a batch and lanes of at most 7, or tail: pad with at"
                        + " most 4 lanes");
        assertThat(order(7, 7, Tail.DROP, 3, 4).steps()).isEqualTo(1);
        assertThat(order(4, 16, Tail.PAD, 3, 4).steps()).isEqualTo(1);
    }

    @Test
    void fewerRowsThanLanes() {
        refused(
                () -> order(8, 16, Tail.PAD, 3, 4),
                "the dataset has 7 rows for 8 lanes, and a lane needs at least one: choose at most 4"
                        + " lanes");
    }

    @Test
    void oneLaneHasItsPrice() {
        assertThat(order(1, 127, Tail.DROP, 127).settings().warning())
                .hasValue(
                        "with 1 lane only one rank can train, and one reader makes all steps: batch"
                                + " 126 can have 63 lanes");
        assertThat(order(1, 64, Tail.DROP, 64).settings().warning())
                .hasValueSatisfying(
                        text -> assertThat(text).endsWith("batch 64 can have 64 lanes"));
        assertThat(order(2, 64, Tail.DROP, 64).settings().warning()).isEmpty();
    }

    @Test
    void rowGroupsThatCannotBeCounted() {
        refused(
                () -> order(1, 1, Tail.DROP, 5, 1L << 31),
                "row group 1 has 2147483648 rows: write row groups of at most 2147483647 rows");
        refused(
                () -> order(1, 1, Tail.DROP, -1),
                "row group 0 has -1 rows: write row groups of at most 2147483647 rows");
    }

    @Test
    void windowThatIsTooLarge() {
        long most = Integer.MAX_VALUE;
        Order order = order(1, 1, Tail.DROP, most, most);
        refused(
                () -> order.laneEpoch(0, 0),
                "window 0 of lane 0 would mix 4294967294 rows, and can mix 2147483647: choose more"
                        + " lanes or a smaller window");
    }

    @Test
    void worldsThatCannotShareTheLanes() {
        Order order = order(12, 12, Tail.DROP, 12);
        refused(
                () -> order.rankLanes(0, 5, false),
                "12 lanes cannot be shared among 5 ranks evenly, and an average over ranks would be"
                        + " wrong: choose a world size of 1, 2, 3, 4, 6 or 12, or a batch of 15"
                        + " with 15 lanes");
        refused(
                () -> order.rankLanes(0, 13, true),
                "12 lanes cannot be shared among 13 ranks, since each serves at least one: choose a"
                        + " world size of 1, 2, 3, 4, 6 or 12, or a batch of 13 with 13 lanes");
        refused(
                () -> order(1, 1, Tail.DROP, 1).rankLanes(0, 2, false),
                "1 lane cannot be shared among 2 ranks, since each serves at least one: choose a"
                        + " world size of 1, or a batch of 2 with 2 lanes");
        refused(
                () -> order(64, 64, Tail.DROP, 64).rankLanes(0, 3, false),
                "64 lanes cannot be shared among 3 ranks evenly, and an average over ranks would be"
                        + " wrong: choose a world size of 1, 2, 4, 8, 16, 32 or 64, or a batch of 66"
                        + " with 33 lanes");
        refused(
                () -> order(64, 192, Tail.DROP, 192).rankLanes(0, 3, false),
                "64 lanes cannot be shared among 3 ranks evenly, and an average over ranks would be"
                        + " wrong: choose a world size of 1, 2, 4, 8, 16, 32 or 64, or 48 lanes");
        refused(() -> order.rankLanes(0, 0, false), "the world size is 0: it must be at least 1");
        refused(() -> order.rankLanes(4, 4, false), "rank 4 is not one of a world of 4: 0 to 3");
        refused(() -> order.rankLanes(-1, 4, false), "rank -1 is not one of a world of 4: 0 to 3");
    }

    @Test
    void placesThatDoNotExist() {
        Order order = order(4, 16, Tail.DROP, 40);
        refused(() -> order.step(0, 2), "there is no step 2: an epoch has the steps 0 to 1");
        refused(() -> order.step(0, -1), "there is no step -1: an epoch has the steps 0 to 1");
        refused(() -> order.step(-1, 0), "there is no epoch -1: the first is 0");
        refused(() -> order.laneEpoch(0, 4), "there is no lane 4: the order has the lanes 0 to 3");
        refused(
                () -> order.locate(0, 40),
                "there is no sample 40: the dataset has the samples 0 to 39");
        refused(
                () -> order.locate(0, -1),
                "there is no sample 18446744073709551615: the dataset has the samples 0 to 39");
    }

    private static OrderSettings settings(int lanes, int batch, int window, Tail tail) {
        return new OrderSettings(7, lanes, batch, window, Shuffle.LANE, tail);
    }

    private static Order order(int lanes, int batch, Tail tail, long... rows) {
        return new Order(settings(lanes, batch, 2, tail), rows);
    }

    private static void refused(ThrowingCallable attempt, String message) {
        assertThatExceptionOfType(OrderException.class).isThrownBy(attempt).withMessage(message);
    }
}
