package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.GenerationEntry.Start;
import io.lockstep.source.feedback.TrainerReply;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A world of two ranks, which differ in the step. */
class StartLineTest {

    private final StartLine line = new StartLine();

    @Test
    void ranksWaitForEachOther() {
        assertThat(start(0, 1, "5"))
                .isEqualTo(
                        new TrainerReply.Awaited("waiting for rank 1 to start the stream 'train'"));
        assertThat(start(1, 1, "5")).isInstanceOf(TrainerReply.Acknowledged.class);
        assertThat(start(0, 1, "5")).isInstanceOf(TrainerReply.Acknowledged.class);
    }

    @Test
    void ranksThatStartApartAreRefusedWithTheDifference() {
        start(0, 1, "5");

        TrainerReply reply = start(1, 1, "6");

        assertThat(((TrainerReply.Refused) reply).message())
                .contains("rank 0 has the step 5, rank 1 6");
        assertThat(start(0, 1, "5")).isInstanceOf(TrainerReply.Refused.class);
    }

    @Test
    void aRankMayBeARoundAhead() {
        start(0, 1, "5");
        start(1, 1, "5");

        assertThat(start(0, 2, "3")).isInstanceOf(TrainerReply.Awaited.class);
        assertThat(start(1, 1, "5")).isInstanceOf(TrainerReply.Acknowledged.class);
        assertThat(start(1, 2, "3")).isInstanceOf(TrainerReply.Acknowledged.class);
    }

    @Test
    void afterARefusalTheRanksMayAgreeInTheNextRound() {
        start(0, 1, "5");
        start(1, 1, "6");

        assertThat(start(0, 2, "6")).isInstanceOf(TrainerReply.Awaited.class);
        assertThat(start(1, 2, "6")).isInstanceOf(TrainerReply.Acknowledged.class);
        assertThat(start(0, 2, "6")).isInstanceOf(TrainerReply.Acknowledged.class);
    }

    @Test
    void aRankThatComesLateToARefusedRoundIsRefusedToo() {
        line.say(said(0, 1, "5"));
        line.say(said(1, 1, "6"));
        line.say(said(0, 2, "6"));
        line.say(said(1, 2, "6"));
        line.say(said(2, 1, "6"));

        assertThat(line.answer(said(2, 1, "6"), 3)).isInstanceOf(TrainerReply.Refused.class);
        assertThat(line.answer(said(0, 2, "6"), 3))
                .isEqualTo(
                        new TrainerReply.Awaited("waiting for rank 2 to start the stream 'train'"));
    }

    @Test
    void whatIsSaidOfRoundsBeforeTheLastStartIsForgotten() {
        for (int round = 1; round <= 5; round++) {
            start(0, round, String.valueOf(round));
            start(1, round, String.valueOf(round));
        }

        assertThat(line.said()).containsExactly(said(0, 5, "5"), said(1, 5, "5"));
        assertThat(line.say(said(0, 3, "3"))).isFalse();
        assertThat(line.answer(said(0, 3, "3"), 2)).isInstanceOf(TrainerReply.Acknowledged.class);
    }

    @Test
    void aRepeatedWordIsNotNew() {
        assertThat(line.say(said(0, 1, "5"))).isTrue();
        assertThat(line.say(said(0, 1, "5"))).isFalse();
        assertThat(line.say(said(0, 2, "5"))).isTrue();
    }

    @Test
    void whatWasSaidOutlivesTheCoordinator() {
        start(0, 1, "5");
        StartLine after = new StartLine();
        after.restore(line.said());

        after.say(said(1, 1, "5"));

        assertThat(after.answer(said(1, 1, "5"), 2)).isInstanceOf(TrainerReply.Acknowledged.class);
    }

    private TrainerReply start(int rank, int round, String step) {
        line.say(said(rank, round, step));
        return line.answer(said(rank, round, step), 2);
    }

    private static Start said(int rank, int round, String step) {
        return new Start("train", rank, round, new TreeMap<>(Map.of("epoch", "0", "step", step)));
    }
}
