package io.lockstep.cli.run;

import io.lockstep.UserException;
import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.DigestComparison;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.launcher.LaunchSpec;
import io.lockstep.cli.launcher.Outcome;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.feedback.StreamInfo;
import java.io.IOException;
import java.util.List;

/**
 * Repeats the stream of a past training under a fault: kills its trainers half-way, resumes with
 * another number of them, and compares the digests of all steps with those of the past run.
 */
final class ReplayDemonstration {

    private static final String STREAM = "train";
    private static final int SIGKILL = 128 + 9;
    private static final int RANKS = 2;
    private static final int RANKS_AFTER = 4;

    private final RunFile past;
    private final RunFile again;
    private final Console console;

    /**
     * @param past a completed run
     * @param command trainers without a model, which kill themselves half-way if they have nothing
     *     to resume from
     */
    ReplayDemonstration(RunFile past, List<String> command, Console console) {
        this.past = past;
        this.again =
                past.with(trainers(past, command, RANKS), List.of(past.stream(STREAM)))
                        .in(past.directory() + "-again");
        this.console = console;
    }

    private static RunFile.Trainers trainers(RunFile past, List<String> command, int ranks) {
        return new RunFile.Trainers(ranks, command, past.trainers().directory(), 0);
    }

    /**
     * Runs it and returns the exit code.
     *
     * @throws UserException if the two runs differ, or the second one failed
     */
    int execute(FlinkTarget target) throws Exception {
        console.print("");
        console.print(
                "The same stream again: "
                        + RANKS
                        + " ranks, killed half-way, then "
                        + RANKS_AFTER
                        + " ranks that resume.");
        long steps;
        try (PreparedRun run = PreparedRun.prepare(again, "quickstart", false, console);
                LiveRun live = LiveRun.start(run, target, console)) {
            StreamInfo stream = run.streams().get(0);
            steps = stream.table().stepsOfFirst(stream.epochs());
            Outcome killed = live.launch(TrainingRun.launchSpec(again));
            if (!live.interrupted()) {
                checkKilled(killed, live);
                Outcome resumed = live.launch(resuming());
                if (!live.interrupted()) {
                    checkFinished(resumed, live);
                    TrainingRun.awaitEnd(run, live.job());
                }
            }
            if (live.interrupted()) {
                return TrainingRun.INTERRUPTED;
            }
        }
        compare(steps);
        return 0;
    }

    private LaunchSpec resuming() {
        return TrainingRun.launchSpec(
                again.with(
                        trainers(past, again.trainers().command(), RANKS_AFTER), again.streams()));
    }

    private void checkKilled(Outcome outcome, LiveRun live) {
        if (outcome instanceof Outcome.Failed failed && failed.exitCode() == SIGKILL) {
            console.print("All " + RANKS + " ranks are dead; the job serves on.");
            return;
        }
        throw broken(outcome, live);
    }

    private void checkFinished(Outcome outcome, LiveRun live) {
        if (!(outcome instanceof Outcome.Finished)) {
            throw broken(outcome, live);
        }
    }

    private static UserException broken(Outcome outcome, LiveRun live) {
        return new UserException(
                live.job()
                        .failure()
                        .orElseGet(
                                () ->
                                        outcome instanceof Outcome.Failed failed
                                                ? failed.describe()
                                                : "the ranks ended before they were killed"));
    }

    private void compare(long steps) throws IOException {
        DigestComparison comparison =
                DigestComparison.of(
                        new DigestArchive(new RunDirectory(past.directory())),
                        new DigestArchive(new RunDirectory(again.directory())));
        long lanes = past.stream(STREAM).order().lanes();
        if (comparison.difference() != null
                || missing(comparison) > 0
                || comparison.lanesCompared() != steps * lanes) {
            throw new UserException(
                    "the two runs differ: look with './lockstep verify "
                            + past.directory()
                            + " "
                            + again.directory()
                            + "'");
        }
        console.print(
                String.format(
                        "The digests of all %,d steps agree: same samples, same order, same bytes.",
                        steps));
    }

    private static long missing(DigestComparison comparison) {
        return comparison.onlyInFirst().stream().filter(gap -> gap.stream().equals(STREAM)).count()
                + comparison.onlyInSecond().size();
    }
}
