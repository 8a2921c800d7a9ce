package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataset.EpochTable;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid requests of the current generation: two ranks, a stream of 4 lanes, 3 epochs. */
class RankCheckTest {

    private static final long GENERATION = 5;
    private static final int WORLD = 2;
    private static final int STEPS = 10;

    private final RankCheck check = new RankCheck();

    @BeforeEach
    void seal() {
        OrderSettings order = new OrderSettings(7, 4, 16, 2, Shuffle.LANE, Tail.DROP);
        EpochTable table = EpochTable.constant(STEPS, 16L * STEPS, "m");
        check.sealed(List.of(new StreamInfo("train", new byte[0], order, table, 3, "m", "f", "t")));
    }

    private Optional<TrainerReply> refusal(TrainerRequest request) {
        return check.refusal(request, GENERATION, WORLD);
    }

    private static TrainerRequest commit(int rank, long epoch, long step) {
        return new TrainerRequest.Commit(GENERATION, rank, "train", epoch, step, "{}", null);
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, 2, 77})
    void aRankThatIsNotOfTheWorldIsRefused(int rank) {
        List<TrainerRequest> requests =
                List.of(
                        new TrainerRequest.Closed(GENERATION, rank),
                        new TrainerRequest.Start(GENERATION, rank, "train", 1, new TreeMap<>()),
                        new TrainerRequest.Resume(GENERATION, rank, "train"),
                        commit(rank, 0, 1));
        for (TrainerRequest request : requests) {
            assertThat(refusal(request))
                    .contains(
                            new TrainerReply.Refused(
                                    "refused", "rank " + rank + " is not one of a world of 2"));
        }
    }

    @ParameterizedTest
    @CsvSource({"1000000,0", "0,-5", "0,10", "3,1", "-1,0"})
    void aCommitOfAStepThatIsNotThereIsRefused(long epoch, long step) {
        assertThat(refusal(commit(0, epoch, step))).isPresent();
    }

    @ParameterizedTest
    @CsvSource({"0,0", "2,9", "3,0"})
    void aCommitBeforeAStepOrAtTheEndIsNot(long epoch, long step) {
        assertThat(refusal(commit(1, epoch, step))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 5, 1_000_000_000})
    void aWorldIsAtMostTheLanes(int world) {
        assertThat(refusal(new TrainerRequest.Register("l", 0, world, "h", "i"))).isPresent();
    }

    @Test
    void ofAFencedGenerationNothingIsSaidHere() {
        assertThat(refusal(new TrainerRequest.Closed(GENERATION - 1, 77))).isEmpty();
        assertThat(refusal(new TrainerRequest.Register("l", 3, 4, "h", "i"))).isEmpty();
    }

    @Test
    void noRankIsTakenInBeforeTheLanesAreKnown() {
        assertThat(new RankCheck().refusal(new TrainerRequest.Register("l", 0, 1, "h", "i"), 0, 0))
                .containsInstanceOf(TrainerReply.Pending.class);
    }
}
