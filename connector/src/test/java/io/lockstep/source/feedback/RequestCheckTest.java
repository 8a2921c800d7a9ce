package io.lockstep.source.feedback;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataset.EpochTable;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Request;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to a run with a stream of 4 lanes and 3 epochs. */
class RequestCheckTest {

    private static final int STEPS = 10;

    private static final StreamInfo TRAIN =
            new StreamInfo(
                    "train",
                    new byte[0],
                    new OrderSettings(7, 4, 16, 2, Shuffle.LANE, Tail.DROP),
                    EpochTable.constant(STEPS, 16L * STEPS, "m"),
                    3,
                    "m",
                    "f",
                    "t");

    private static void check(Request request) {
        new RequestCheck(List.of(TRAIN)).check(request);
    }

    private static void assertRefused(Request request, ErrorCode code) {
        assertThatThrownBy(() -> check(request))
                .isInstanceOf(HandoffException.class)
                .extracting("code")
                .isEqualTo(code);
    }

    private static Request commit(int rank, long epoch, long step, String state) {
        return new Request.Commit(1, rank, "train", epoch, step, state, null);
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, 4, 77})
    void aRankIsBelowTheLanes(int rank) {
        List<Request> requests =
                List.of(
                        new Request.Close(1, rank),
                        new Request.Start(1, rank, "train", 1, new TreeMap<>(), null, null),
                        new Request.Resume(1, rank, "train"),
                        commit(rank, 0, 1, "{}"));
        requests.forEach(request -> assertRefused(request, ErrorCode.BAD_REQUEST));
    }

    @ParameterizedTest
    @CsvSource({"1000000,0", "0,-5", "0,10", "3,1", "-1,0"})
    void aCommitNamesAStepOfTheRun(long epoch, long step) {
        assertRefused(commit(0, epoch, step, "{}"), ErrorCode.BAD_REQUEST);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "2,9", "3,0"})
    void aCommitMayNameTheEndOfTheRun(long epoch, long step) {
        assertThatCode(() -> check(commit(1, epoch, step, "{}"))).doesNotThrowAnyException();
    }

    @Test
    void aCommittedStateIsAnObject() {
        assertRefused(commit(0, 0, 0, "[]"), ErrorCode.BAD_REQUEST);
    }

    @Test
    void aStreamIsOneOfTheRun() {
        assertRefused(new Request.Resume(1, 0, "other"), ErrorCode.UNKNOWN_STREAM);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 5, 1_000_000_000})
    void aWorldIsAtMostTheLanes(int world) {
        assertRefused(
                new Request.Register("l", 0, world, "h", "i", null, null), ErrorCode.BAD_REQUEST);
    }
}
