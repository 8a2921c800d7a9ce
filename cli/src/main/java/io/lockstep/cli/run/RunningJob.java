package io.lockstep.cli.run;

import io.lockstep.Futures;
import io.lockstep.UserException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A submitted Flink job, until it ends. Thread-safe. */
final class RunningJob {

    private static final long CANCEL_SECONDS = 30;

    private static final Logger LOG = LoggerFactory.getLogger(RunningJob.class);

    private final CompletableFuture<JobClient> submitted;
    private final CompletableFuture<Void> ended;
    private volatile boolean cancelled;

    /**
     * @param submitted completes when the job has been submitted
     * @param afterwards releases the job's resources before the job counts as ended
     */
    RunningJob(CompletableFuture<JobClient> submitted, Runnable afterwards) {
        this.submitted = submitted;
        this.ended =
                submitted
                        .thenCompose(JobClient::getJobExecutionResult)
                        .whenComplete((result, failure) -> afterwards.run())
                        .thenAccept(result -> {});
    }

    /** Completes when the job has ended, exceptionally if it failed. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Waits for the end of the job. */
    boolean endsWithin(long seconds) throws InterruptedException {
        try {
            ended.get(seconds, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Cancels the job if it is still running, and waits until its resources are released. */
    void cancel() throws InterruptedException {
        if (!ended.isDone()) {
            cancelled = true;
            Futures.onFailure(
                    submitted.thenCompose(JobClient::cancel),
                    failure -> LOG.warn("The job could not be cancelled", failure));
            endsWithin(CANCEL_SECONDS);
        }
    }

    /** The cause of the job's failure as text; empty if it did not fail or was cancelled here. */
    Optional<String> failure() {
        if (cancelled || !ended.isCompletedExceptionally()) {
            return Optional.empty();
        }
        try {
            ended.join();
            return Optional.empty();
        } catch (RuntimeException e) {
            ClassLoader loader = RunningJob.class.getClassLoader();
            return ExceptionUtils.findSerializedThrowable(e, UserException.class, loader)
                    .map(Throwable::getMessage)
                    .or(() -> Optional.of("the Flink job failed: " + rootOf(e)));
        }
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
