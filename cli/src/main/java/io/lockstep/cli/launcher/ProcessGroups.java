package io.lockstep.cli.launcher;

import io.lockstep.UserException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts each process as the leader of its own process group, so that a signal reaches all its
 * descendants, and ensures that no group outlives this JVM, however the JVM ends.
 *
 * <p>A small shell process reads commands from a pipe and sends the signals that they name. When
 * the pipe closes, because the JVM closed it or died, it kills every registered group. Thread-safe.
 */
final class ProcessGroups implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessGroups.class);

    private static final String GUARD =
            """
            groups=
            # A process that has just started does not lead its group yet.
            signal() { kill -s "$1" -- "-$2" || kill -s "$1" "$2"; }
            while read -r word group; do
              case $word in
                WATCH) groups="$groups $group" ;;
                FORGET)
                  kill -s KILL -- "-$group"
                  kept=
                  for each in $groups; do
                    [ "$each" = "$group" ] || kept="$kept $each"
                  done
                  groups=$kept ;;
                *)
                  case "$groups " in
                    *" $group "*) signal "$word" "$group" ;;
                  esac ;;
              esac
            done
            for group in $groups; do
              signal KILL "$group"
            done
            """;

    private final Process guard;
    private final OutputStream words;

    private ProcessGroups(Process guard) {
        this.guard = guard;
        this.words = guard.getOutputStream();
    }

    /** Starts the guard process. */
    static ProcessGroups open() {
        ProcessBuilder builder =
                new ProcessBuilder("setsid", "sh", "-c", GUARD)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        return new ProcessGroups(start(builder));
    }

    /**
     * Starts a process as a group leader; the group's id is the process's id.
     *
     * @param environment added to this process's environment
     * @param merged whether standard error is redirected to standard output
     */
    Process start(
            List<String> command, Path directory, Map<String, String> environment, boolean merged) {
        List<String> all = new ArrayList<>(List.of("setsid"));
        all.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(all)
                        .directory(directory.toFile())
                        .redirectInput(new java.io.File("/dev/null"))
                        .redirectErrorStream(merged);
        TrainerEnvironment.restoreLocale(builder.environment());
        builder.environment().putAll(environment);
        Process process = start(builder);
        send("WATCH", process.pid());
        return process;
    }

    /** Sends a signal, such as {@code TERM}, to a group; does nothing if the group is gone. */
    void signal(String name, long group) {
        send(name, group);
    }

    /** Kills the rest of a group whose leader has ended. */
    void killRemaining(long group) {
        // The id may be reused by another user's process from now on.
        send("FORGET", group);
    }

    /** Kills all remaining groups. */
    @Override
    public void close() {
        try {
            words.close();
            guard.waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            LOG.warn("the guard of the trainers is gone already", e);
        } catch (InterruptedException e) {
            // The guard has its commands and ends without further waiting.
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void send(String word, long group) {
        try {
            words.write((word + " " + group + "\n").getBytes(StandardCharsets.US_ASCII));
            words.flush();
        } catch (IOException e) {
            LOG.warn("cannot signal process group {}", group, e);
        }
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UserException(
                    "trainers cannot be started: "
                            + e.getMessage()
                            + "; 'setsid' (util-linux) and 'sh' are needed",
                    e);
        }
    }
}
