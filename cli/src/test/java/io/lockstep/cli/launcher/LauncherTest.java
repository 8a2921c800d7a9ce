package io.lockstep.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.testing.OwnThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uses real processes: small shell scripts as trainers. */
@Timeout(60)
class LauncherTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Heard heard = new Heard();

    @TempDir Path run;

    @Test
    void startsEveryRankWithItsEnvironment() throws IOException {
        Outcome outcome =
                launch(
                        3,
                        0,
                        "echo $RANK of $WORLD_SIZE, local $LOCAL_RANK, for $LOCKSTEP_RUN at"
                                + " $MASTER_ADDR; test -n \"$LOCKSTEP_LAUNCH\" && test"
                                + " \"$MASTER_PORT\" -gt 0");

        assertThat(outcome).isEqualTo(new Outcome.Finished());
        assertThat(logs())
                .containsExactly(
                        "0 of 3, local 0, for " + run + " at 127.0.0.1\n",
                        "1 of 3, local 1, for " + run + " at 127.0.0.1\n",
                        "2 of 3, local 2, for " + run + " at 127.0.0.1\n");
        assertThat(heard.finished).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void showsWhatRankZeroWrites() throws IOException {
        launch(2, 0, "echo $RANK says; echo $RANK complains >&2");

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("0 says\n");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("0 complains\n");
        assertThat(logs().get(0)).contains("0 says\n", "0 complains\n");
        assertThat(logs().get(1)).isEqualTo("1 says\n1 complains\n");
    }

    @Test
    void showsWhatOtherRanksWaitFor() {
        launch(
                2,
                0,
                "echo \"lockstep rank $RANK: waiting for step 3\" >&2; echo $RANK complains >&2");

        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactlyInAnyOrder(
                        "lockstep rank 0: waiting for step 3",
                        "0 complains",
                        "lockstep rank 1: waiting for step 3");
    }

    @Test
    void keepsTheOrderOfBothOutputsWhereTheyGoToOnePlace() {
        String numbers = "for i in $(seq 200); do echo $i; echo $i >&2; done";

        try (Launcher launcher = new Launcher(spec(1, 0, numbers), out, null, heard)) {
            launcher.run();
        }

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 200)
                                .boxed()
                                .flatMap(i -> Stream.of("" + i, "" + i))
                                .toList());
    }

    @Test
    void doesNotRepeatWhatRankZeroHasShown() {
        Outcome outcome = launch(2, 0, "[ $RANK = 1 ] || { echo no luck; exit 7; }; sleep 1000");

        assertThat(((Outcome.Failed) outcome).rank()).isZero();
        assertThat(((Outcome.Failed) outcome).lastLines()).isEmpty();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("no luck\n");
    }

    @Test
    void endsAllRanksWhenOneFails() {
        Outcome outcome =
                launch(3, 0, "if [ $RANK = 1 ]; then echo no luck; exit 7; fi; sleep 1000");

        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        Outcome.Failed failed = (Outcome.Failed) outcome;
        assertThat(failed.rank()).isEqualTo(1);
        assertThat(failed.exitCode()).isEqualTo(7);
        assertThat(failed.lastLines()).containsExactly("no luck");
        assertThat(failed.describe()).startsWith("rank 1 ended with exit code 7; its output is in");
        assertThat(Path.of(failed.log())).exists();
    }

    @Test
    void namesTheSignalThatEndedARank() {
        Outcome outcome = launch(1, 0, "kill -s KILL $$");

        assertThat(((Outcome.Failed) outcome).describe())
                .startsWith("rank 0 was ended by signal 9");
    }

    @Test
    void startsAllRanksAgainUnderANewToken() throws IOException {
        Outcome outcome =
                launch(2, 2, "echo $LOCKSTEP_LAUNCH >> launches-$RANK; test $RANK = 0 || exit 3");

        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        assertThat(heard.restarts).containsExactly(1, 2);
        assertThat(Files.readAllLines(run.resolve("launches-1")))
                .hasSize(3)
                .doesNotHaveDuplicates();
        try (Stream<Path> launches = Files.list(run.resolve("logs"))) {
            assertThat(launches).hasSize(3);
        }
    }

    @Test
    void stopsTrainersAndWhatTheyStarted() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        OutputStream signal =
                new OutputStream() {
                    @Override
                    public void write(int value) {
                        started.countDown();
                    }
                };
        Launcher launcher =
                new Launcher(
                        spec(1, 0, "sleep 1000 & echo $! > child; echo up; wait"),
                        signal,
                        err,
                        heard);
        CompletableFuture<Outcome> outcome = OwnThreads.call(launcher::run);
        started.await();

        launcher.stop();

        assertThat(outcome.get()).isEqualTo(new Outcome.Stopped());
        assertThat(alive(run.resolve("child"))).isFalse();
    }

    @Test
    void buriesChildrenThatARankLeavesBehind() throws Exception {
        Outcome outcome = launch(1, 0, "sleep 1000 & echo $! > child");

        assertThat(outcome).isEqualTo(new Outcome.Finished());
        assertThat(alive(run.resolve("child"))).isFalse();
    }

    /** Only the guard ends the trainers of a killed launcher. */
    @Test
    void killsTrainersWhenTheLauncherIsGone() throws Exception {
        ProcessGroups groups = ProcessGroups.open();
        Process rank =
                groups.start(
                        List.of("sh", "-c", "sleep 1000 & echo $! > child; echo up; wait"),
                        run,
                        Map.of(),
                        true);
        assertThat(rank.inputReader().readLine()).isEqualTo("up");

        groups.close();

        assertThat(rank.waitFor()).isEqualTo(128 + 9);
        assertThat(alive(run.resolve("child"))).isFalse();
    }

    @Test
    void signalsAndKillsReachWhatHasJustStarted() throws Exception {
        List<Process> ended = new ArrayList<>();
        try (ProcessGroups groups = ProcessGroups.open()) {
            for (int i = 0; i < 20; i++) {
                Process rank = startSleeping(groups);
                groups.signal("TERM", rank.pid());
                ended.add(rank);
            }
            for (Process rank : ended) {
                assertThat(rank.waitFor()).isEqualTo(128 + 15);
            }
        }

        Process last;
        try (ProcessGroups groups = ProcessGroups.open()) {
            last = startSleeping(groups);
        }
        assertThat(last.waitFor()).isEqualTo(128 + 9);
    }

    private Process startSleeping(ProcessGroups groups) {
        return groups.start(List.of("sleep", "1000"), run, Map.of(), true);
    }

    @Test
    void refusesAProgramThatIsNotThere() {
        assertThatThrownBy(() -> new LaunchSpec(List.of("pyhton"), run, 1, 0, run.toString()))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "the trainers' command begins with 'pyhton', which is in no directory of"
                                + " PATH; correct trainers.command or PATH");
        assertThatThrownBy(() -> new LaunchSpec(List.of("./none"), run, 1, 0, run.toString()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("'./none', which is no program in " + run);
    }

    private Outcome launch(int ranks, int restarts, String script) {
        try (Launcher launcher = new Launcher(spec(ranks, restarts, script), out, err, heard)) {
            return launcher.run();
        }
    }

    private LaunchSpec spec(int ranks, int restarts, String script) {
        return new LaunchSpec(List.of("sh", "-c", script), run, ranks, restarts, run.toString());
    }

    /** The logs of the only launch, by rank. */
    private List<String> logs() throws IOException {
        Path launch;
        try (Stream<Path> launches = Files.list(run.resolve("logs"))) {
            launch = launches.findFirst().orElseThrow();
        }
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(launch).sorted()) {
            for (Path file : files.toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    /** Whether the process whose id a file contains still exists, shortly after its signal. */
    private static boolean alive(Path file) throws Exception {
        Optional<ProcessHandle> process =
                ProcessHandle.of(Long.parseLong(Files.readString(file).trim()));
        if (process.isEmpty()) {
            return false;
        }
        process.get().onExit().get(10, TimeUnit.SECONDS);
        return process.get().isAlive();
    }

    private static final class Heard implements RankListener {

        @Override
        public void allFinished(String launch) {}

        private final List<Integer> finished = Collections.synchronizedList(new ArrayList<>());
        private final List<Integer> restarts = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void finished(String launch, int rank) {
            finished.add(rank);
        }

        @Override
        public void restarting(Outcome.Failed failed, int restart, int most) {
            restarts.add(restart);
        }
    }
}
