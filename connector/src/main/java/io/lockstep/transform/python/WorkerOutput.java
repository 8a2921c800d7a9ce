package io.lockstep.transform.python;

import io.lockstep.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what a worker prints to the job's log, up to a limit, and keeps the last lines for error
 * messages. Reads on until the end, so that the worker never blocks on a full pipe.
 */
final class WorkerOutput {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerOutput.class);

    private static final int MAX_LINES = 1_000;
    private static final int MAX_LENGTH = 500;
    private static final int KEPT = 5;
    private static final long JOIN_MILLIS = 1_000;

    private final int worker;
    private final Thread reader;
    private final Deque<String> last = new ArrayDeque<>();
    private long lines;

    /**
     * @param worker its number
     * @param output which is closed at its end
     */
    WorkerOutput(int worker, InputStream output) {
        this.worker = worker;
        this.reader = new Thread(() -> copy(output), "lockstep-python-output-" + worker);
        reader.setDaemon(true);
        reader.start();
    }

    private void copy(InputStream output) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c >= 0; c = in.read()) {
                if (c == '\n') {
                    add(line.toString());
                    line.setLength(0);
                } else if (line.length() < MAX_LENGTH) {
                    line.append((char) c);
                }
            }
            if (line.length() > 0) {
                add(line.toString());
            }
        } catch (IOException e) {
            LOG.debug("The output of the Python worker {} has ended", worker, e);
        }
    }

    private synchronized void add(String line) {
        String printable = Printable.of(line);
        if (last.size() == KEPT) {
            last.removeFirst();
        }
        last.addLast(printable);
        lines++;
        if (lines <= MAX_LINES) {
            LOG.info("python worker {}: {}", worker, printable);
        } else if (lines == MAX_LINES + 1) {
            LOG.warn(
                    "The Python worker {} has printed {} lines; the rest is left out",
                    worker,
                    MAX_LINES);
        }
    }

    /** The last lines, once the worker has ended. */
    List<String> lastLines() {
        try {
            reader.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return List.copyOf(last);
        }
    }
}
