package io.lockstep.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.cli.servers.ServerState;
import io.lockstep.protocol.Reply;
import io.lockstep.run.SinkEntry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The sentences for positions as servers report them. */
class WaitsTest {

    private static final int EPOCHS = 2;

    private final Waits waits = new Waits(Map.of("train", EPOCHS));

    @Test
    void aTrainerWaitsForTheLanesThatAreMissing() {
        ServerState first = server(0, Map.of(0, asked(0, true), 1, asked(0, false)));
        ServerState second = server(1, Map.of(2, asked(0, false), 3, asked(0, false)));

        assertThat(waits.of(List.of(first, second)))
                .containsExactly(
                        "rank 0 waits for train epoch 1, step 17 since 1 min 15 s: lane 1 of server 0 and"
                                + " lanes 2-3 of server 1 are not made yet");
    }

    @Test
    void aStepThatIsMadeIsOnItsWay() {
        assertThat(waits.of(List.of(server(0, Map.of(0, asked(3, true))))))
                .containsExactly("train epoch 1, step 17 is on its way to rank 3");
    }

    @Test
    void lanesWaitForATrainerThatHasNotAskedForLong() {
        assertThat(waits.of(List.of(server(0, Map.of(0, at(1, 1, true, null, 3_723_000L))))))
                .containsExactly(
                        "lane 0 of server 0 is waiting for rank 1 since 1 h 2 min: train epoch 1,"
                                + " step 17 is ready");
        // It asked once and has not repeated its call.
        assertThat(waits.of(List.of(server(0, Map.of(0, at(1, 1, false, 90_000L, 61_000L))))))
                .containsExactly(
                        "lane 0 of server 0 is waiting for rank 1 since 1 min 1 s: train epoch 1,"
                                + " step 17 comes next");
    }

    @Test
    void whoHasAllStepsIsNotAwaited() {
        assertThat(waits.of(List.of(server(0, Map.of(0, at(0, EPOCHS, false, null, 5L))))))
                .containsExactly("rank 0 has taken the last step of train");
    }

    @Test
    void neighboursAreOneRange() {
        assertThat(Waits.lanes(List.of(7, 3, 1, 2, 9))).isEqualTo("lanes 1-3, 7, 9");
        assertThat(Waits.lanes(List.of(4))).isEqualTo("lane 4");
    }

    private static Reply.LanePosition asked(int rank, boolean ready) {
        return at(rank, 1, ready, 75_500L, null);
    }

    private static Reply.LanePosition at(
            int rank, long epoch, boolean ready, Long waiting, Long idle) {
        return new Reply.LanePosition(4, rank, epoch, 17, ready, waiting, idle);
    }

    private static ServerState server(int subtask, Map<Integer, Reply.LanePosition> positions) {
        Map<Integer, Reply.LaneStats> lanes = new TreeMap<>();
        positions.forEach((lane, at) -> lanes.put(lane, new Reply.LaneStats(0, 0, 0, 0, 0, at)));
        SinkEntry entry = new SinkEntry(subtask, "grpc+tcp://a:1", "a", 1, "task", Map.of());
        return ServerState.answering(
                entry, new Reply.Stats(Map.of("train", lanes), 0, 0, 0, 0, 0, 0, 0, 0, null));
    }
}
