package io.lockstep.cli.run;

import io.lockstep.Plural;
import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.launcher.LaunchSpec;
import io.lockstep.cli.launcher.Outcome;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.run.JobEntry;
import java.io.IOException;
import java.util.Optional;

/** A complete training run: the Flink job and the ranks of this host. */
final class TrainingRun {

    private static final long END_SECONDS = 60;
    static final int INTERRUPTED = 130;

    private final PreparedRun run;
    private final Console console;

    TrainingRun(PreparedRun run, Console console) {
        this.run = run;
        this.console = console;
    }

    /** Runs it and returns the exit code. */
    int execute(FlinkTarget target) throws Exception {
        LaunchSpec spec = launchSpec(run.file());
        try (LiveRun live = LiveRun.start(run, target, console)) {
            return conclude(live.launch(spec), live);
        }
    }

    private int conclude(Outcome outcome, LiveRun live) throws InterruptedException {
        RunningJob job = live.job();
        if (live.interrupted()) {
            return INTERRUPTED;
        }
        if (outcome instanceof Outcome.Failed failed) {
            failed.lastLines().forEach(line -> console.err().println("  | " + line));
            // A trainer learns of the job's failure before this process does, and may end first.
            if (hasReportedFailure()) {
                job.endsWithin(END_SECONDS);
            }
            throw new UserException(
                    job.failure()
                            .map(why -> because(why, failed.describe()))
                            .orElseGet(failed::describe));
        }
        // All ranks have ended, but the job still waits for ranks that never called it.
        if (outcome instanceof Outcome.Finished && live.neverAttached()) {
            return 0;
        }
        awaitEnd(run, job);
        console.print(done());
        return 0;
    }

    /** The details of a failure stand in further lines. */
    private static String because(String why, String what) {
        String[] lines = why.split("\n", 2);
        String details = lines.length == 1 ? "" : "\n" + lines[1];
        return lines[0].replaceFirst("[.:]$", "") + "; so " + what + details;
    }

    private boolean hasReportedFailure() {
        try {
            return run.directory()
                    .job()
                    .read()
                    .filter(entry -> entry.state() == JobEntry.State.FAILED)
                    .isPresent();
        } catch (IOException e) {
            // The exit code of the rank is reported in any case.
            return false;
        }
    }

    private String done() {
        RunFile file = run.file();
        return "done: "
                + Plural.of(file.trainers().ranks(), "rank")
                + " ended with exit code 0; what each wrote is in "
                + file.directory()
                + "/logs";
    }

    /**
     * Waits until the job has ended, once all ranks have.
     *
     * @throws UserException if it does not end, or has failed
     */
    static void awaitEnd(PreparedRun run, RunningJob job) throws InterruptedException {
        if (!job.endsWithin(END_SECONDS)) {
            throw new UserException(
                    "all ranks ended with exit code 0, and the job has not ended "
                            + END_SECONDS
                            + " s later; their output is in "
                            + run.file().directory()
                            + "/logs");
        }
        Optional<String> failure = job.failure();
        if (failure.isPresent()) {
            throw new UserException(failure.get());
        }
    }

    /**
     * Checks the trainers' program before anything else is started.
     *
     * @throws UsageException if none is named
     * @throws UserException if there is no such program
     */
    static void checkCommand(RunFile.Trainers trainers) {
        if (trainers.command().isEmpty()) {
            throw new UsageException(
                    "the run names no command for its trainers: set trainers.command, or write it"
                            + " after '--'; 'serve' runs without trainers");
        }
        LaunchSpec.checkProgram(trainers.command().get(0), trainers.directory());
    }

    /** How to start the trainers of a run file. */
    static LaunchSpec launchSpec(RunFile file) {
        RunFile.Trainers trainers = file.trainers();
        return new LaunchSpec(
                trainers.command(),
                trainers.directory(),
                trainers.ranks(),
                trainers.restarts(),
                file.directory());
    }
}
