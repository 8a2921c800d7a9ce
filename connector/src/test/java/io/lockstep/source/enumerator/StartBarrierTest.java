package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.Reply;
import io.lockstep.run.GenerationEntry.Start;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A world of two ranks that start at different steps. */
class StartBarrierTest {

    private final StartBarrier barrier = new StartBarrier();

    @Test
    void ranksWaitForEachOther() {
        assertThat(start(0, 1, "5"))
                .isEqualTo(
                        new Reply.Pending(
                                "waiting for rank 1 to start the stream 'train': rank 1 registered, no"
                                        + " stream started yet"));
        assertThat(start(1, 1, "5")).isInstanceOf(Reply.Noted.class);
        assertThat(start(0, 1, "5")).isInstanceOf(Reply.Noted.class);
    }

    @Test
    void ranksThatStartApartAreRefusedWithTheDifference() {
        start(0, 1, "5");

        Reply reply = start(1, 1, "6");

        assertThat(((Reply.Failure) reply).error().message())
                .contains("rank 0 has the step 5, rank 1 6");
        assertThat(start(0, 1, "5")).isInstanceOf(Reply.Failure.class);
    }

    @Test
    void aRankMayBeARoundAhead() {
        start(0, 1, "5");
        start(1, 1, "5");

        assertThat(start(0, 2, "3")).isInstanceOf(Reply.Pending.class);
        assertThat(start(1, 1, "5")).isInstanceOf(Reply.Noted.class);
        assertThat(start(1, 2, "3")).isInstanceOf(Reply.Noted.class);
    }

    @Test
    void afterARefusalTheRanksMayAgreeInTheNextRound() {
        start(0, 1, "5");
        start(1, 1, "6");

        assertThat(start(0, 2, "6")).isInstanceOf(Reply.Pending.class);
        assertThat(start(1, 2, "6")).isInstanceOf(Reply.Noted.class);
        assertThat(start(0, 2, "6")).isInstanceOf(Reply.Noted.class);
    }

    @Test
    void aRankThatComesLateToARefusedRoundIsRefusedToo() {
        barrier.arrive(arrival(0, 1, "5"));
        barrier.arrive(arrival(1, 1, "6"));
        barrier.arrive(arrival(0, 2, "6"));
        barrier.arrive(arrival(1, 2, "6"));
        barrier.arrive(arrival(2, 1, "6"));

        assertThat(answer(barrier, arrival(2, 1, "6"), 3)).isInstanceOf(Reply.Failure.class);
        assertThat(answer(barrier, arrival(0, 2, "6"), 3))
                .isEqualTo(
                        new Reply.Pending(
                                "waiting for rank 2 to start the stream 'train': rank 2 started the"
                                        + " stream 'train' last"
                                        + ", in an earlier round"));
    }

    @Test
    void roundsBeforeTheLastStartAreDropped() {
        for (int round = 1; round <= 5; round++) {
            start(0, round, String.valueOf(round));
            start(1, round, String.valueOf(round));
        }

        assertThat(barrier.arrived()).containsExactly(arrival(0, 5, "5"), arrival(1, 5, "5"));
        barrier.arrive(arrival(0, 3, "3"));
        assertThat(answer(arrival(0, 3, "3"))).isInstanceOf(Reply.Noted.class);
    }

    @Test
    void aRepeatedWordIsNotNew() {
        barrier.arrive(arrival(0, 1, "5"));
        barrier.arrive(arrival(0, 1, "5"));
        barrier.arrive(arrival(0, 2, "5"));
    }

    @Test
    void whatWasSaidOutlivesTheCoordinator() {
        start(0, 1, "5");
        StartBarrier after = new StartBarrier();
        after.restore(barrier.arrived());

        after.arrive(arrival(1, 1, "5"));

        assertThat(answer(after, arrival(1, 1, "5"), 2)).isInstanceOf(Reply.Noted.class);
    }

    private Reply start(int rank, int round, String step) {
        barrier.arrive(arrival(rank, round, step));
        return answer(arrival(rank, round, step));
    }

    private Reply answer(Start start) {
        return answer(barrier, start, 2);
    }

    private static Reply answer(StartBarrier barrier, Start start, int world) {
        return barrier.answer(start, world, rank -> false, rank -> true);
    }

    private static Start arrival(int rank, int round, String step) {
        return new Start("train", rank, round, new TreeMap<>(Map.of("epoch", "0", "step", step)));
    }
}
