package io.lockstep.run;

import io.lockstep.UnreadableFileException;
import io.lockstep.UserException;
import io.lockstep.run.JobEntry.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
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
 * What trainers read of the job itself: {@code job.json}, written when the job's state changes, and
 * {@code heartbeat.json}, which its coordinator replaces every few seconds.
 */
@Internal
public final class JobStore {

    /** How often a coordinator gives a sign of life. */
    public static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(3);

    /** A job whose last sign of life is older does not run; hosts' clocks may differ a little. */
    private static final Duration LOST_AFTER = Duration.ofSeconds(20);

    private static final Duration REPORT_LIMIT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(JobStore.class);

    private final Path job;
    private final Path heartbeat;

    JobStore(Path root) {
        this.job = new Path(root, "job.json");
        this.heartbeat = new Path(root, "heartbeat.json");
    }

    /** The job that serves the run; nothing where the file is damaged, which a job overwrites. */
    public Optional<JobEntry> read() throws IOException {
        try {
            return RunFiles.read(job, JobEntry.class);
        } catch (UnreadableFileException e) {
            LOG.warn("{}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Writes that a job runs, or that its run is done. */
    public void write(String id, State state) throws IOException {
        RunFiles.write(job, new JobEntry(id, state, null, Instant.now().toString()));
    }

    /** Gives a sign of life. */
    public void beat(String id) throws IOException {
        RunFiles.write(heartbeat, new HeartbeatEntry(id, Instant.now().toString()));
    }

    /** Writes that a job has failed, unless another one runs or has finished the run. */
    public void fail(String id, String error) throws IOException {
        Optional<JobEntry> present = read();
        if (present.isPresent() && !present.get().job().equals(id) && stands(present.get())) {
            return;
        }
        RunFiles.write(job, new JobEntry(id, State.FAILED, error, Instant.now().toString()));
    }

    private boolean stands(JobEntry entry) throws IOException {
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
     * Writes that a job has failed where the failure is a {@link UserException}, which ends a job.
     * Takes two seconds at most and throws nothing: the failure itself is what the caller goes on
     * with.
     */
    public void report(String id, Throwable failure) {
        Optional<UserException> cause = ExceptionUtils.findThrowable(failure, UserException.class);
        if (cause.isEmpty()) {
            return;
        }
        FutureTask<Void> report =
                new FutureTask<>(
                        () -> {
                            fail(id, cause.get().getMessage());
                            return null;
                        });
        Thread thread = new Thread(report, "lockstep-job-failure");
        thread.setDaemon(true);
        thread.start();
        try {
            report.get(REPORT_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Cannot write to {} why the job ends", job, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
