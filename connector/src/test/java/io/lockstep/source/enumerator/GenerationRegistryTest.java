package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerReply.Acknowledged;
import io.lockstep.source.feedback.TrainerReply.Awaited;
import io.lockstep.source.feedback.TrainerReply.Refused;
import io.lockstep.source.feedback.TrainerReply.Registered;
import io.lockstep.source.feedback.TrainerRequest.Closed;
import io.lockstep.source.feedback.TrainerRequest.Register;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which trainers are accepted, and when a run is done. */
class GenerationRegistryTest {

    private final GenerationRegistry registry = new GenerationRegistry("job-1", false);

    @Test
    void rankZeroOpensAGenerationAndTheOthersJoinIt() {
        assertThat(register("a", 1, 2)).isInstanceOf(Awaited.class);
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
                .isInstanceOf(Refused.class)
                .extracting("code")
                .isEqualTo("fenced");
        assertThat(registry.closed(new Closed(1, 0)))
                .isInstanceOf(Refused.class)
                .extracting("code")
                .isEqualTo("fenced");
    }

    @Test
    void twoProcessesCannotBeTheSameRank() {
        register("a", 0, 2);

        TrainerReply second = registry.register(new Register("a", 0, 2, "other", "another"));

        assertThat(second).isInstanceOf(Refused.class);
        assertThat(((Refused) second).message())
                .contains("rank 0", "host", "other", "give each process its own RANK");
    }

    @Test
    void ranksMustAgreeOnTheWorld() {
        register("a", 0, 2);

        assertThat(((Refused) register("a", 1, 4)).message())
                .contains("world of 4", "rank 0 for one of 2", "WORLD_SIZE");
        assertThat(register("a", 9, 2)).isInstanceOf(Refused.class);
    }

    @Test
    void theRunIsDoneWhenEveryRankHasClosed() {
        register("a", 0, 2);
        register("a", 1, 2);

        assertThat(registry.closed(new Closed(1, 1))).isInstanceOf(Acknowledged.class);
        assertThat(registry.done()).isFalse();
        assertThat(registry.awaited()).containsExactly(0);
        registry.closed(new Closed(1, 0));
        assertThat(registry.done()).isTrue();
    }

    @Test
    void aRestartedCoordinatorKnowsTheTrainersOfItsJob() {
        register("a", 0, 2);
        register("a", 1, 2);
        registry.closed(new Closed(1, 1));

        GenerationRegistry restarted = new GenerationRegistry("job-1", false);
        restarted.restore(registry.entry(List.of()));

        assertThat(restarted.entry(List.of())).isEqualTo(registry.entry(List.of()));
    }

    @Test
    void aJobSubmittedAnewGoesOnWithTrainersThatLive() {
        register("a", 0, 2);
        register("a", 1, 2);
        registry.closed(new Closed(1, 1));

        GenerationRegistry another = new GenerationRegistry("job-2", false);
        another.restore(registry.entry(List.of()));

        assertThat(another.world()).isEqualTo(2);
        assertThat(another.fence(1)).isEmpty();
        assertThat(another.awaited()).containsExactly(0);
        another.closed(new Closed(1, 0));
        assertThat(another.done()).isTrue();
    }

    @Test
    void aJobSubmittedAnewKeepsOffTrainersThatHaveFinished() {
        register("a", 0, 1);
        registry.closed(new Closed(1, 0));

        GenerationRegistry another = new GenerationRegistry("job-2", false);
        another.restore(registry.entry(List.of()));

        assertThat(another.fence(1)).isPresent();
    }

    @Test
    void aJobSubmittedAnewAwaitsNewTrainersAndGoesOnCounting() {
        register("a", 0, 1);
        registry.closed(new Closed(1, 0));

        GenerationRegistry another = new GenerationRegistry("job-2", false);
        another.restore(registry.entry(List.of()));

        assertThat(another.done()).isFalse();
        assertThat(another.register(new Register("b", 0, 1, "host", "b0")))
                .isEqualTo(new Registered(2));
    }

    private TrainerReply register(String launch, int rank, int world) {
        return registry.register(new Register(launch, rank, world, "host", launch + rank));
    }
}
