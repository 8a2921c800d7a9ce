package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.CommitReport;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerReply.Acknowledged;
import io.lockstep.source.feedback.TrainerReply.Awaited;
import io.lockstep.source.feedback.TrainerReply.Committed;
import io.lockstep.source.feedback.TrainerReply.NotCommitted;
import io.lockstep.source.feedback.TrainerReply.Pending;
import io.lockstep.source.feedback.TrainerReply.Refused;
import io.lockstep.source.feedback.TrainerReply.Registered;
import io.lockstep.source.feedback.TrainerRequest;
import io.lockstep.source.feedback.TrainerRequest.Commit;
import io.lockstep.source.feedback.TrainerRequest.Register;
import io.lockstep.source.feedback.TrainerRequest.Start;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting ranks get their answers when the other ranks arrive. */
class TrainerCoordinatorTest {

    @TempDir private Path directory;

    private final DirectExecutor executor = new DirectExecutor();
    private TrainerCoordinator coordinator;
    private int done;

    @BeforeEach
    void open() {
        RunDirectory run = new RunDirectory(directory.toString());
        GenerationRegistry trainers = new GenerationRegistry("job", false);
        coordinator =
                new TrainerCoordinator(
                        run,
                        executor,
                        trainers,
                        new CommitCoordinator(run, executor, trainers, List.of()),
                        answer -> {
                            done++;
                            answer.run();
                        });
        coordinator.restore(0, null);
    }

    @Test
    void rankZeroBringsTheOthersOfItsLaunchIn() {
        List<TrainerReply> one = ask(register("a", 1));
        List<TrainerReply> other = ask(register("b", 1));
        assertThat(one)
                .containsExactly(new Awaited("waiting for rank 0 of the launch a to register"));

        List<TrainerReply> zero = ask(register("a", 0));

        assertThat(zero).containsExactly(new Registered(1));
        assertThat(one).element(1).isEqualTo(new Registered(1));
        assertThat(other)
                .element(1)
                .isEqualTo(new Pending("another launch of the trainers has begun"));
    }

    @Test
    void theLastRankStartsAll() {
        ask(register("a", 0));
        ask(register("a", 1));
        List<TrainerReply> zero = ask(start(1, 0, "5"));
        assertThat(zero)
                .containsExactly(new Awaited("waiting for rank 1 to start the stream 'train'"));

        assertThat(ask(start(1, 1, "5"))).containsExactly(new Acknowledged());
        assertThat(zero).element(1).isEqualTo(new Acknowledged());
    }

    @Test
    void ranksThatStartApartAreAllRefused() {
        ask(register("a", 0));
        List<TrainerReply> zero = ask(start(1, 0, "5"));

        assertThat(ask(start(1, 1, "6"))).singleElement().isInstanceOf(Refused.class);
        assertThat(zero).element(1).isInstanceOf(Refused.class);
    }

    @Test
    void aRepeatedRequestIsAnsweredInThePlaceOfTheFormer() {
        ask(register("a", 0));
        List<TrainerReply> former = ask(start(1, 0, "5"));
        List<TrainerReply> repeated = ask(start(1, 0, "5"));

        ask(start(1, 1, "5"));

        assertThat(former).hasSize(1);
        assertThat(repeated).element(1).isEqualTo(new Acknowledged());
    }

    @Test
    void aNewLaunchEndsTheWaitOfTheFormer() {
        ask(register("a", 0));
        List<TrainerReply> zero = ask(start(1, 0, "5"));

        ask(register("b", 0));

        assertThat(((Refused) zero.get(1)).code()).isEqualTo("fenced");
    }

    @Test
    void noAnswerComesBeforeItIsDurable() {
        executor.hold();
        List<TrainerReply> zero = ask(register("a", 0));
        assertThat(zero).isEmpty();
        executor.advance(Duration.ofSeconds(2));
        assertThat(zero)
                .singleElement()
                .isEqualTo(
                        new Awaited("waiting for the run directory " + directory + " to answer"));

        executor.release();

        assertThat(zero).element(1).isEqualTo(new Registered(1));
        assertThat(new RunDirectory(directory.toString()))
                .satisfies(run -> assertThat(run.readGeneration()).isPresent());
    }

    @Test
    void theRunEndsThoughItsDirectoryHangs() {
        ask(register("a", 0));
        ask(register("a", 1));
        executor.hold();
        List<TrainerReply> zero = ask(new TrainerRequest.Closed(1, 0));
        List<TrainerReply> one = ask(new TrainerRequest.Closed(1, 1));
        assertThat(done).isZero();

        executor.advance(Duration.ofSeconds(10));

        assertThat(zero).contains(new Acknowledged());
        assertThat(one).contains(new Acknowledged());
        assertThat(done).isPositive();
    }

    @Test
    void aCommitThatTheDirectoryDoesNotTakeIsGivenUpAndNamesIt() throws IOException {
        ask(new Register("a", 0, 1, "host", "process"));
        executor.hold();
        List<TrainerReply> hanging = ask(commit(5));
        List<TrainerReply> repeated = ask(commit(5));
        executor.advance(CommitCoordinator.LIMIT);
        assertThat(hanging).isEmpty();
        assertThat(repeated)
                .last()
                .isEqualTo(
                        new NotCommitted(
                                "the run directory "
                                        + directory
                                        + " has not taken the commit within 6 s"));
        executor.release();

        Path commits = directory.resolve("commits");
        FileUtils.deleteDirectory(commits.toFile());
        Files.writeString(commits, "in the way");
        List<TrainerReply> failing = ask(commit(6));
        executor.advance(CommitCoordinator.LIMIT);
        assertThat(((NotCommitted) failing.get(failing.size() - 1)).why())
                .startsWith("the commit cannot be written to the run directory " + directory);

        Files.delete(commits);
        assertThat(ask(commit(6))).containsExactly(new Committed(true));
        assertThat(new RunDirectory(directory.toString()).commits().readAll())
                .extracting(CommitReport::step)
                .containsExactly(6L);
    }

    private static Commit commit(long step) {
        return new Commit(1, 0, "train", 0, step, "{}", null);
    }

    private List<TrainerReply> ask(TrainerRequest request) {
        List<TrainerReply> replies = new ArrayList<>();
        coordinator.answer(request, replies::add);
        return replies;
    }

    private static Register register(String launch, int rank) {
        return new Register(launch, rank, 2, "host", "process " + rank);
    }

    private static Start start(long generation, int rank, String step) {
        return new Start(generation, rank, "train", 1, new TreeMap<>(Map.of("step", step)));
    }
}
