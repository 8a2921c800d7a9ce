package io.lockstep.run;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import io.lockstep.run.JobEntry.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.fs.Path;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of the job as trainers read it: {@code job.json}, written when the job's state changes,
 * and {@code heartbeat.json}, which the job's coordinator replaces every few seconds.
 */
@Internal
public final class JobStore {

    /** The interval of a coordinator's heartbeats. */
    public static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(3);

    /**
     * The age of the last heartbeat after which a job counts as dead; allows for some clock skew
     * between hosts.
     */
    private static final Duration LOST_AFTER = Duration.ofSeconds(20);

    private static final Duration REPORT_LIMIT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(JobStore.class);

    private final Path job;
    private final Path heartbeat;

    JobStore(Path root) {
        this.job = new Path(root, "job.json");
        this.heartbeat = new Path(root, "heartbeat.json");
    }

    /** The job that serves the run; empty if the file is damaged, since a job overwrites it. */
    public Optional<JobEntry> read() throws IOException {
        try {
            return RunFiles.read(job, JobEntry.class);
        } catch (UnreadableFileException e) {
            LOG.warn("{}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Records that a job is running or that its run is done. */
    public void write(String id, State state) throws IOException {
        RunFiles.write(job, new JobEntry(id, state, null, Instant.now().toString()));
    }

    /** Writes a heartbeat. */
    public void beat(String id) throws IOException {
        RunFiles.write(heartbeat, new HeartbeatEntry(id, Instant.now().toString()));
    }

    /** Records that a job has failed, unless another job is running or has finished the run. */
    public void fail(String id, String error) throws IOException {
        Optional<JobEntry> present = read();
        if (present.isPresent() && !present.get().job().equals(id) && isCurrent(present.get())) {
            return;
        }
        RunFiles.write(job, new JobEntry(id, State.FAILED, error, Instant.now().toString()));
    }

    private boolean isCurrent(JobEntry entry) throws IOException {
        return switch (entry.state()) {
            case RUNNING -> isAlive(entry.job());
            case FAILED -> false;
            case DONE -> true;
        };
    }

    private boolean isAlive(String id) throws IOException {
        try {
            Optional<HeartbeatEntry> last = RunFiles.read(heartbeat, HeartbeatEntry.class);
            return last.isPresent()
                    && last.get().job().equals(id)
                    && Instant.parse(last.get().at()).isAfter(Instant.now().minus(LOST_AFTER));
        } catch (UnreadableFileException e) {
            return false;
        }
    }

    /**
     * Records that a job has failed if the failure is a {@link UserException}, which ends a job.
     * Takes at most two seconds and never throws, so that the caller can report the original
     * failure.
     */
    public void report(String id, Throwable failure) {
        Optional<UserException> cause = ExceptionUtils.findThrowable(failure, UserException.class);
        if (cause.isEmpty()) {
            return;
        }
        try {
            bounded(
                    () -> {
                        fail(id, cause.get().getMessage());
                        return null;
                    });
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Cannot write to {} why the job ends", job, e);
        }
    }

    /**
     * The error message of a job if it has failed permanently. Takes at most two seconds and never
     * throws, also on an interrupted thread: a task that is cancelled calls it.
     */
    public Optional<String> failureOf(String id) {
        try {
            return bounded(this::read)
                    .filter(entry -> entry.job().equals(id) && entry.state() == State.FAILED)
                    .map(entry -> String.valueOf(entry.error()));
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Cannot read from {} whether the job has failed", job, e);
            return Optional.empty();
        }
    }

    private static <T> T bounded(Callable<T> call) throws ExecutionException, TimeoutException {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, "lockstep-job-failure");
        thread.setDaemon(true);
        thread.start();
        long end = System.nanoTime() + REPORT_LIMIT.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
