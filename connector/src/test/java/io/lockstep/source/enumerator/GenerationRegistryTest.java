package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Reply.Failure;
import io.lockstep.protocol.Reply.Noted;
import io.lockstep.protocol.Reply.Pending;
import io.lockstep.protocol.Reply.Registered;
import io.lockstep.protocol.Request.Close;
import io.lockstep.protocol.Request.Register;
import io.lockstep.protocol.Request.Resume;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which trainers are accepted, and when a run is done. */
class GenerationRegistryTest {

    private final GenerationRegistry registry = new GenerationRegistry("job-1", false);

    @Test
    void rankZeroOpensAGenerationAndTheOthersJoinIt() {
        assertThat(register("a", 1, 2)).isInstanceOf(Pending.class);
        assertThat(register("a", 0, 2)).isEqualTo(new Registered(1));
        assertThat(register("a", 1, 2)).isEqualTo(new Registered(1));
    }

    @Test
    void askingAgainChangesNothing() {
        register("a", 0, 1);

        assertThat(register("a", 0, 1)).isEqualTo(new Registered(1));
    }

    @Test
    void aNewLaunchFencesTheFormer() {
        register("a", 0, 1);
        assertThat(register("b", 0, 1)).isEqualTo(new Registered(2));

        assertThat(register("a", 0, 1))
                .isInstanceOf(Failure.class)
                .extracting("error.code")
                .isEqualTo(ErrorCode.FENCED);
        assertThat(registry.closed(new Close(1, 0)))
                .isInstanceOf(Failure.class)
                .extracting("error.code")
                .isEqualTo(ErrorCode.FENCED);
    }

    @Test
    void twoProcessesCannotBeTheSameRank() {
        register("a", 0, 2);

        Reply second = registry.register(new Register("a", 0, 2, "other", "another", null, null));

        assertThat(second).isInstanceOf(Failure.class);
        assertThat(((Failure) second).error().message())
                .contains("rank 0", "host", "other", "give each process its own RANK");
    }

    @Test
    void ranksMustAgreeOnTheWorld() {
        register("a", 0, 2);

        assertThat(((Failure) register("a", 1, 4)).error().message())
                .contains("world of 4", "rank 0 for one of 2", "WORLD_SIZE");
        assertThat(register("a", 9, 2)).isInstanceOf(Failure.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {-3, 2, 77})
    void aRankOutsideTheWorldIsRefused(int rank) {
        register("a", 0, 2);

        assertThat(registry.closed(new Close(1, rank)))
                .isEqualTo(
                        new Failure(
                                ErrorCode.REFUSED, "rank " + rank + " is not one of a world of 2"));
        assertThat(registry.awaited()).containsExactly(0, 1);
    }

    @Test
    void theRunIsDoneWhenEveryRankHasClosed() {
        register("a", 0, 2);
        register("a", 1, 2);

        assertThat(registry.closed(new Close(1, 1))).isInstanceOf(Noted.class);
        assertThat(registry.done()).isFalse();
        assertThat(registry.awaited()).containsExactly(0);
        registry.closed(new Close(1, 0));
        assertThat(registry.done()).isTrue();
    }

    @Test
    void aRestartedCoordinatorKnowsTheTrainersOfItsJob() {
        register("a", 0, 2);
        register("a", 1, 2);
        registry.closed(new Close(1, 1));

        GenerationRegistry restarted = new GenerationRegistry("job-1", false);
        restarted.restore(registry.entry(List.of()));

        assertThat(restarted.entry(List.of())).isEqualTo(registry.entry(List.of()));
    }

    @Test
    void aJobSubmittedAnewGoesOnWithTrainersThatLive() {
        register("a", 0, 2);
        register("a", 1, 2);
        registry.closed(new Close(1, 1));

        GenerationRegistry another = new GenerationRegistry("job-2", false);
        another.restore(registry.entry(List.of()));

        assertThat(another.world()).isEqualTo(2);
        assertThat(another.fence(new Resume(1, 0, "train"))).isEmpty();
        assertThat(another.awaited()).containsExactly(0);
        another.closed(new Close(1, 0));
        assertThat(another.done()).isTrue();
    }

    @Test
    void aJobSubmittedAnewKeepsOffTrainersThatHaveFinished() {
        register("a", 0, 1);
        registry.closed(new Close(1, 0));

        GenerationRegistry another = new GenerationRegistry("job-2", false);
        another.restore(registry.entry(List.of()));

        assertThat(another.fence(new Resume(1, 0, "train"))).isPresent();
    }

    @Test
    void aJobSubmittedAnewAwaitsNewTrainersAndGoesOnCounting() {
        register("a", 0, 1);
        registry.closed(new Close(1, 0));

        GenerationRegistry another = new GenerationRegistry("job-2", false);
        another.restore(registry.entry(List.of()));

        assertThat(another.done()).isFalse();
        assertThat(another.register(new Register("b", 0, 1, "host", "b0", null, null)))
                .isEqualTo(new Registered(2));
    }

    private Reply register(String launch, int rank, int world) {
        return registry.register(
                new Register(launch, rank, world, "host", launch + rank, null, null));
    }
}
