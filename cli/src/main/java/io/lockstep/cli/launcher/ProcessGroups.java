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
 * Starts each process as the leader of a group of its own, so that a signal reaches all that it has
 * started, and sees to it that no group outlives this JVM, however the JVM ends.
 *
 * <p>A small shell beside the JVM holds the read end of a pipe. It sends the signals that it is
 * told to send; when the pipe closes, because the JVM closed it or is gone, it kills every group
 * that it knows. Thread-safe.
 */
final class ProcessGroups implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessGroups.class);

    private static final String GUARD =
            """
            groups=
            while read -r word group; do
              case $word in
                WATCH) groups="$groups $group" ;;
                FORGET)
                  kept=
                  for each in $groups; do
                    [ "$each" = "$group" ] || kept="$kept $each"
                  done
                  groups=$kept ;;
                *) kill -s "$word" -- "-$group" ;;
              esac
            done
            for group in $groups; do
              kill -s KILL -- "-$group"
            done
            """;

    private final Process guard;
    private final OutputStream words;

    private ProcessGroups(Process guard) {
        this.guard = guard;
        this.words = guard.getOutputStream();
    }

    /** Starts the guard. */
    static ProcessGroups open() {
        ProcessBuilder builder =
                new ProcessBuilder("setsid", "sh", "-c", GUARD)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        return new ProcessGroups(start(builder));
    }

    /**
     * Starts a process that leads a group; the group's number is the process's.
     *
     * @param environment added to this process's own
     * @param merged whether what it writes to standard error goes to its standard output
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
        builder.environment().putAll(environment);
        Process process = start(builder);
        say("WATCH", process.pid());
        return process;
    }

    /** Sends a signal, such as {@code TERM}, to a group; one that is gone is no matter. */
    void signal(String name, long group) {
        say(name, group);
    }

    /** Kills what is left of a group whose leader has ended. */
    void bury(long group) {
        say("KILL", group);
        // Its number may be given to somebody else's process from now on.
        say("FORGET", group);
    }

    /** Kills all groups that are left. */
    @Override
    public void close() {
        try {
            words.close();
            guard.waitFor(10, TimeUnit.SECONDS);
        } catch (IOException e) {
            LOG.warn("the guard of the trainers is gone already", e);
        } catch (InterruptedException e) {
            // The guard has its word and ends without somebody waiting.
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void say(String word, long group) {
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
