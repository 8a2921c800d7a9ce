package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply.Committed;
import io.lockstep.protocol.Reply.Failure;
import io.lockstep.protocol.Reply.Noted;
import io.lockstep.protocol.Reply.Pending;
import io.lockstep.protocol.Reply.Registered;
import io.lockstep.protocol.Reply.Resumed;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Request.Close;
import io.lockstep.protocol.Request.Commit;
import io.lockstep.protocol.Request.Register;
import io.lockstep.protocol.Request.Start;
import io.lockstep.run.CommitReport;
import io.lockstep.run.RunDirectory;
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

    private static final Long WAIT = 1000L;

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
        List<Object> one = ask(register("a", 1));
        List<Object> other = ask(register("b", 1));
        assertThat(one).containsExactly("waiting for rank 0 of the launch a to register");

        List<Object> zero = ask(register("a", 0));

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
        List<Object> zero = ask(start(1, 0, "5"));
        assertThat(zero)
                .containsExactly(
                        "waiting for rank 1 to start the stream 'train': rank 1 registered, no stream"
                                + " started yet");

        assertThat(ask(start(1, 1, "5"))).containsExactly(new Noted());
        assertThat(zero).element(1).isEqualTo(new Noted());
    }

    @Test
    void ranksThatStartApartAreAllRefused() {
        ask(register("a", 0));
        List<Object> zero = ask(start(1, 0, "5"));

        assertThat(ask(start(1, 1, "6"))).singleElement().isInstanceOf(Failure.class);
        assertThat(zero).element(1).isInstanceOf(Failure.class);
    }

    @Test
    void aRepeatedRequestIsAnsweredInThePlaceOfTheFormer() {
        ask(register("a", 0));
        List<Object> former = ask(start(1, 0, "5"));
        // Each call names its own limit.
        List<Object> repeated = ask(start(1, 0, "5").withoutWait());

        ask(start(1, 1, "5"));

        assertThat(former).hasSize(1);
        assertThat(repeated).element(1).isEqualTo(new Noted());
    }

    @Test
    void aRankThatWaitsForOneThatIsDoneIsRefusedAtOnce() {
        ask(register("a", 0));
        List<Object> zero = ask(start(1, 0, "5"));
        assertThat((String) zero.get(0)).endsWith("rank 1 not registered yet");

        ask(register("a", 1));
        ask(new Close(1, 1));

        assertThat(((Failure) zero.get(1)).error().message())
                .startsWith("rank 1 is done and will not start the stream 'train'")
                .endsWith("alone=True");
    }

    @Test
    void theSecondIncompleteCommitNamesTheRankThatDoesNotCommit() {
        ask(register("a", 0));
        ask(register("a", 1));
        assertThat(ask(commit(5))).containsExactly(new Committed(true, false, null, null));

        String first =
                "the commit of epoch 0, step 5 of stream 'train' is incomplete: rank 1 has not made it";
        assertThat(((Committed) ask(commit(6)).get(0)).warning()).startsWith(first);
        Resumed resumed = (Resumed) ask(new Request.Resume(1, 0, "train")).get(0);
        assertThat(resumed.state()).isNull();
        assertThat(resumed.warning())
                .startsWith(first.replace("step 5", "step 6"))
                .contains("resume() does not return it");

        ask(new Commit(1, 1, "train", 0, 6, "{}", null));
        resumed = (Resumed) ask(new Request.Resume(1, 0, "train")).get(0);
        assertThat(resumed.state()).isEqualTo("{}");
        assertThat(resumed.warning()).isNull();
    }

    @Test
    void aNewLaunchEndsTheWaitOfTheFormer() {
        ask(register("a", 0));
        List<Object> zero = ask(start(1, 0, "5"));

        ask(register("b", 0));

        assertThat(((Failure) zero.get(1)).error().code()).isEqualTo(ErrorCode.FENCED);
    }

    @Test
    void noAnswerComesBeforeItIsDurable() {
        executor.hold();
        List<Object> zero = ask(register("a", 0));
        assertThat(zero).isEmpty();
        executor.advance(Duration.ofSeconds(2));
        assertThat(zero)
                .singleElement()
                .isEqualTo("waiting for the run directory " + directory + " to answer");

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
        List<Object> zero = ask(new Close(1, 0));
        List<Object> one = ask(new Close(1, 1));
        assertThat(done).isZero();

        executor.advance(Duration.ofSeconds(10));

        assertThat(zero).contains(new Noted());
        assertThat(one).contains(new Noted());
        assertThat(done).isPositive();
    }

    @Test
    void aCommitThatTheDirectoryDoesNotTakeIsGivenUpAndNamesIt() throws IOException {
        ask(new Register("a", 0, 1, "host", "process", null, null));
        executor.hold();
        List<Object> hanging = ask(commit(5));
        List<Object> repeated = ask(commit(5));
        executor.advance(CommitCoordinator.LIMIT);
        assertThat(hanging).isEmpty();
        assertThat(repeated)
                .last()
                .isEqualTo(
                        new Committed(
                                false,
                                false,
                                "the run directory "
                                        + directory
                                        + " has not taken the commit within 6 s",
                                null));
        executor.release();

        Path commits = directory.resolve("commits");
        FileUtils.deleteDirectory(commits.toFile());
        Files.writeString(commits, "in the way");
        List<Object> failing = ask(commit(6));
        executor.advance(CommitCoordinator.LIMIT);
        assertThat(((Committed) failing.get(failing.size() - 1)).why())
                .startsWith("the commit cannot be written to the run directory " + directory);

        Files.delete(commits);
        assertThat(ask(commit(6))).containsExactly(new Committed(true, true, null, null));
        assertThat(new RunDirectory(directory.toString()).commits().readAll())
                .extracting(CommitReport::step)
                .containsExactly(6L);
    }

    private static Commit commit(long step) {
        return new Commit(1, 0, "train", 0, step, "{}", null);
    }

    /** Asks; the list receives the reply, and before that the reasons for the delay as text. */
    private List<Object> ask(Request.ToRun request) {
        List<Object> replies = new ArrayList<>();
        coordinator.answer(
                request,
                new Caller(
                        1,
                        answer ->
                                replies.add(
                                        answer.isFinal()
                                                ? answer.reply()
                                                : ((Pending) answer.reply()).why())));
        return replies;
    }

    private static Register register(String launch, int rank) {
        return new Register(launch, rank, 2, "host", "process " + rank, null, null);
    }

    private static Start start(long generation, int rank, String step) {
        return new Start(
                generation, rank, "train", 1, new TreeMap<>(Map.of("step", step)), WAIT, "call");
    }
}
