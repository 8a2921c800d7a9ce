package io.lockstep.cli.run;

import io.lockstep.UserException;
import io.lockstep.cli.Console;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.launcher.LaunchSpec;
import io.lockstep.launcher.Launcher;
import io.lockstep.launcher.Outcome;
import java.io.PrintStream;
import java.util.Optional;

/**
 * A training run from its start to its end: the Flink job and this host's ranks. Whichever fails
 * takes the other with it, and so does an interruption of this process.
 */
final class TrainingRun {

    private static final long END_SECONDS = 60;
    private static final int INTERRUPTED = 130;

    private final PreparedRun run;
    private final Console console;
    private volatile boolean interrupted;

    TrainingRun(PreparedRun run, Console console) {
        this.run = run;
        this.console = console;
    }

    /** Runs it and returns the exit code. */
    int execute(FlinkTarget target) throws Exception {
        LaunchSpec spec = launchSpec();
        CleanExits exits = new CleanExits(run.directory(), console);
        RunningJob job = new RunningJob(target.submit(run));
        PrintStream errors = console.together() ? null : console.err();
        try (Launcher launcher = new Launcher(spec, console.out(), errors, exits)) {
            Thread hook = new Thread(() -> interrupt(launcher, job), "lockstep-interrupt");
            Runtime.getRuntime().addShutdownHook(hook);
            try {
                job.ended().whenComplete((ended, failure) -> stopOnFailure(failure, launcher));
                return conclude(launcher.run(), exits, job);
            } finally {
                job.cancel();
                removeHook(hook);
            }
        }
    }

    private static void stopOnFailure(Throwable failure, Launcher launcher) {
        if (failure != null) {
            launcher.stop();
        }
    }

    private int conclude(Outcome outcome, CleanExits exits, RunningJob job)
            throws InterruptedException {
        if (interrupted) {
            return INTERRUPTED;
        }
        if (outcome instanceof Outcome.Failed failed) {
            failed.lastLines().forEach(line -> console.say("  | " + line));
            throw new UserException(
                    job.failure().map(why -> why + "; so ").orElse("") + failed.describe());
        }
        // The job waits for ranks that it has never heard of, and they have all ended.
        if (outcome instanceof Outcome.Finished && exits.neverAttached()) {
            return 0;
        }
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
        return 0;
    }

    /**
     * Looks whether there is something to start as a trainer, before anything else is.
     *
     * @throws UserException where there is not
     */
    static void checkCommand(RunFile.Trainers trainers) {
        if (trainers.command().isEmpty()) {
            throw new UserException(
                    "the run names no command for its trainers: set trainers.command, or write it"
                            + " after '--'; 'serve' runs without trainers");
        }
        LaunchSpec.checkProgram(trainers.command().get(0), trainers.directory());
    }

    private LaunchSpec launchSpec() {
        RunFile.Trainers trainers = run.file().trainers();
        return new LaunchSpec(
                trainers.command(),
                trainers.directory(),
                trainers.ranks(),
                trainers.restarts(),
                run.file().directory());
    }

    private void interrupt(Launcher launcher, RunningJob job) {
        interrupted = true;
        launcher.stop();
        try {
            job.cancel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        launcher.close();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is going down: the hook runs, and does what is left to do.
        }
    }
}
