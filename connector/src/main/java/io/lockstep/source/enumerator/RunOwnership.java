package io.lockstep.source.enumerator;

import io.lockstep.UserException;
import io.lockstep.run.JobEntry;
import io.lockstep.run.JobEntry.State;
import io.lockstep.run.JobStore;
import io.lockstep.run.RunDirectory;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job's ownership of a run directory, and the job state that it publishes there for trainers. The
 * job that assigned its lanes last owns the run.
 *
 * <p>Trainers find only the servers of the last job. An earlier job that kept running would waste
 * memory, or receive one rank's commits while the other ranks commit to the last job. Ownership
 * uses no lock, because object stores have none. All methods run on the coordinator's thread.
 */
final class RunOwnership {

    private static final Logger LOG = LoggerFactory.getLogger(RunOwnership.class);

    /** How long writing the final state may take; the job ends afterwards in any case. */
    private static final Duration DONE_LIMIT = Duration.ofSeconds(5);

    private static final Duration ERROR = Duration.ofSeconds(3);

    private final RunDirectory run;
    private final String job;
    private final AsyncExecutor executor;
    private boolean warned;

    RunOwnership(RunDirectory run, String job, AsyncExecutor executor) {
        this.run = run;
        this.job = job;
        this.executor = executor;
    }

    /**
     * Takes over the run from any other job and removes that job's servers.
     *
     * @param then runs once this job owns the run
     */
    void take(Runnable then) {
        JobStore store = run.job();
        executor.retry(
                () -> {
                    store.write(job, State.RUNNING);
                    store.beat(job);
                    run.clearSinks();
                    return job;
                },
                taken -> {
                    then.run();
                    executor.schedule(this::beat, JobStore.HEARTBEAT_INTERVAL);
                },
                this::warn);
    }

    private void warn(Throwable failure) {
        if (!warned) {
            warned = true;
            LOG.warn("Cannot write to the run directory {}; trying again", run.root(), failure);
        }
    }

    private void beat() {
        JobStore store = run.job();
        executor.call(
                () -> {
                    Optional<JobEntry> present = store.read();
                    if (present.isEmpty() || present.get().job().equals(job)) {
                        store.beat(job);
                    }
                    return present;
                },
                (present, failure) -> {
                    if (failure == null) {
                        warned = false;
                        check(present);
                    } else {
                        warn(failure);
                    }
                    executor.schedule(this::beat, JobStore.HEARTBEAT_INTERVAL);
                });
    }

    /**
     * @throws UserException if another job owns the run now
     */
    void check(Optional<JobEntry> present) {
        if (present.isPresent() && !present.get().job().equals(job)) {
            throw new UserException(
                    "the job "
                            + present.get().job()
                            + " was started later for the run in "
                            + run.root()
                            + " and serves it now; this one ends: a run has one job at a time");
        }
    }

    /** Publishes that the run is done. */
    void done(Runnable then) {
        writeBeforeEnd(
                () -> {
                    run.job().write(job, State.DONE);
                    return job;
                },
                DONE_LIMIT,
                then);
    }

    /** Fails the job, and publishes the cause to trainers if it is a {@link UserException}. */
    void fail(RuntimeException failure) {
        Optional<UserException> cause = ExceptionUtils.findThrowable(failure, UserException.class);
        if (cause.isEmpty()) {
            throw failure;
        }
        writeBeforeEnd(
                () -> {
                    run.job().fail(job, cause.get().getMessage());
                    return job;
                },
                ERROR,
                () -> {
                    throw failure;
                });
    }

    private void writeBeforeEnd(Callable<String> write, Duration limit, Runnable then) {
        AtomicBoolean over = new AtomicBoolean();
        Runnable once =
                () -> {
                    if (!over.getAndSet(true)) {
                        then.run();
                    }
                };
        executor.schedule(
                () -> {
                    if (!over.get()) {
                        LOG.warn("The run directory {} does not answer; ending", run.root());
                    }
                    once.run();
                },
                limit);
        executor.retry(write, written -> once.run(), this::warn);
    }
}
