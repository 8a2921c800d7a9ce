package io.lockstep;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls to remote file systems, whose clients repeat failed requests for minutes: a call that takes
 * long is logged with what it waits for, and a failure names the path and its first cause.
 */
@Internal
public final class RemoteCalls {

    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(RemoteCalls.class);

    private static final RemoteCalls LOGGED = new RemoteCalls(LOG::warn, PATIENCE, INTERVAL);

    private final Consumer<String> say;
    private final Duration patience;
    private final Duration interval;
    private final ScheduledThreadPoolExecutor timer;

    /** A call that may block. */
    public interface Call<T> {
        T run() throws IOException;
    }

    /**
     * @param patience the time after which a call is reported
     * @param interval of further reports
     */
    RemoteCalls(Consumer<String> say, Duration patience, Duration interval) {
        this.say = say;
        this.patience = patience;
        this.interval = interval;
        this.timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        work -> {
                            Thread thread = new Thread(work, "lockstep-remote-calls");
                            thread.setDaemon(true);
                            return thread;
                        });
        timer.setRemoveOnCancelPolicy(true);
    }

    /**
     * Calls the file system of a path; a local one directly.
     *
     * @param path that the user knows
     * @throws FileNotFoundException if the call throws it
     * @throws IOException with the path and the cause if it fails otherwise
     */
    public static <T> T call(Path path, Call<T> call) throws IOException {
        String scheme = path.toUri().getScheme();
        return scheme == null || scheme.equals("file") ? call.run() : LOGGED.run(path, call);
    }

    <T> T run(Path path, Call<T> call) throws IOException {
        long begin = System.nanoTime();
        ScheduledFuture<?> report =
                timer.scheduleAtFixedRate(
                        () -> say.accept(waiting(path, System.nanoTime() - begin)),
                        patience.toMillis(),
                        interval.toMillis(),
                        TimeUnit.MILLISECONDS);
        try {
            return call.run();
        } catch (FileNotFoundException e) {
            throw e;
        } catch (IOException e) {
            // A time-out is an InterruptedIOException, too, without an interrupt.
            if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
                throw e;
            }
            throw new IOException(path + " cannot be accessed: " + cause(e), e);
        } finally {
            report.cancel(false);
        }
    }

    private static String waiting(Path path, long nanos) {
        return "waiting for "
                + path
                + " since "
                + TimeUnit.NANOSECONDS.toSeconds(nanos)
                + " s: its file system does not answer";
    }

    /**
     * The message of the first cause, without the details of requests that Amazon's client adds.
     */
    private static String cause(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String message = root.getMessage();
        if (message == null) {
            return root.getClass().getSimpleName();
        }
        String text = message.lines().findFirst().orElse("").replaceFirst(" [(]Service: .*", "");
        return text.contains(" ") ? text : root.getClass().getSimpleName() + ": " + text;
    }
}
