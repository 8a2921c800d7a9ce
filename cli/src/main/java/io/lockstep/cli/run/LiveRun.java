package io.lockstep.cli.run;

import io.lockstep.Futures;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.launcher.LaunchSpec;
import io.lockstep.cli.launcher.Launcher;
import io.lockstep.cli.launcher.Outcome;
import java.io.PrintStream;

/**
 * A running job and the launches of trainers that it serves on this host. If either fails, the
 * other is stopped; interrupting this process stops both. Closing cancels the job.
 */
final class LiveRun implements AutoCloseable {

    private final Console console;
    private final FlinkTarget target;
    private final RunningJob job;
    private final CleanExits exits;
    private final AtExit atExit;
    private Launcher launcher;
    private boolean failed;
    private volatile boolean interrupted;

    private LiveRun(PreparedRun run, FlinkTarget target, Console console) throws Exception {
        this.console = console;
        this.target = target;
        this.job = submit(run, target);
        this.exits = new CleanExits(run.directory(), console);
        this.atExit = new AtExit(this::interrupt);
    }

    private static RunningJob submit(PreparedRun run, FlinkTarget target) throws Exception {
        try {
            return target.submit(run);
        } catch (Exception e) {
            run.directory().job().report("", e);
            throw e;
        }
    }

    /** Submits the job. */
    static LiveRun start(PreparedRun run, FlinkTarget target, Console console) throws Exception {
        LiveRun live = new LiveRun(run, target, console);
        Futures.onFailure(live.job.ended(), failure -> live.jobFailed());
        return live;
    }

    private synchronized void jobFailed() {
        failed = true;
        if (launcher != null) {
            launcher.stop();
        }
    }

    /** Starts trainers and waits until they have ended. Launches must not overlap. */
    Outcome launch(LaunchSpec spec) {
        PrintStream errors = console.together() ? null : console.err();
        try (Launcher now = new Launcher(spec, console.out(), errors, exits)) {
            synchronized (this) {
                launcher = now;
                if (failed || interrupted) {
                    return new Outcome.Stopped();
                }
            }
            return now.run();
        }
    }

    RunningJob job() {
        return job;
    }

    /** Whether a rank of the newest launch exited without ever having called the job. */
    boolean neverAttached() {
        return exits.neverAttached();
    }

    /** Whether this process is being terminated from outside. */
    boolean interrupted() {
        return interrupted;
    }

    private void interrupt() throws InterruptedException {
        Launcher now;
        synchronized (this) {
            interrupted = true;
            now = launcher;
        }
        console.print("lockstep: asked to end; stopping the trainers and the job");
        if (now != null) {
            now.stop();
        }
        job.cancel();
        target.close();
        if (now != null) {
            now.close();
        }
    }

    @Override
    public void close() throws InterruptedException {
        job.cancel();
        atExit.close();
    }
}
