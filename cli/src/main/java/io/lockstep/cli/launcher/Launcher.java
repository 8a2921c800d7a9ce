package io.lockstep.cli.launcher;

import java.io.OutputStream;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import javax.annotation.Nullable;

/**
 * Runs the trainers of a run on this host: starts all ranks, and after a failure restarts all of
 * them under a new launch name, as often as the settings allow. Single use.
 */
public final class Launcher implements AutoCloseable {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final LaunchSpec spec;
    private final OutputStream out;
    private final OutputStream err;
    private final RankListener listener;
    private Launch current;
    private boolean stopped;

    /**
     * @param out shows what rank 0 writes to standard output; not closed
     * @param err shows what rank 0 writes to standard error, and what other ranks wait for; null if
     *     that goes to {@code out} as well, which preserves the order of both streams; not closed
     */
    public Launcher(
            LaunchSpec spec, OutputStream out, @Nullable OutputStream err, RankListener listener) {
        this.spec = spec;
        this.out = out;
        this.err = err;
        this.listener = listener;
    }

    /** Starts the trainers and waits until they have ended, restarts included. */
    public Outcome run() {
        for (int restart = 1; ; restart++) {
            Outcome outcome = launch();
            if (!(outcome instanceof Outcome.Failed failed) || restart > spec.restarts()) {
                return outcome;
            }
            listener.restarting(failed, restart, spec.restarts());
        }
    }

    /**
     * Asks the trainers to end and kills them after a grace period; {@link #run} then returns.
     * Callable from any thread; idempotent.
     */
    public synchronized void stop() {
        stopped = true;
        if (current != null) {
            current.stop();
        }
    }

    /** Kills all remaining processes at once. */
    @Override
    public synchronized void close() {
        stopped = true;
        if (current != null) {
            current.close();
        }
    }

    private Outcome launch() {
        Launch launch;
        synchronized (this) {
            if (stopped) {
                return new Outcome.Stopped();
            }
            launch = Launch.start(spec, name(), out, err, listener);
            current = launch;
        }
        try (launch) {
            return launch.outcome().join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the trainers cannot be watched", e.getCause());
        }
    }

    /** A unique launch name. It is also a directory name, so that launches sort by time. */
    private static String name() {
        return LocalDateTime.now().format(TIME)
                + "-"
                + UUID.randomUUID().toString().substring(0, 8);
    }
}
