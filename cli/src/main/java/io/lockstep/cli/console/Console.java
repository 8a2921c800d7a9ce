package io.lockstep.cli.console;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a command writes.
 *
 * @param out results and nothing else; buffered, so it is to be flushed where somebody waits
 * @param err all else
 * @param terminal whether a person reads the results
 * @param together whether both lead to the same place
 */
public record Console(PrintStream out, PrintStream err, boolean terminal, boolean together) {

    /** Whether this process's standard output and standard error lead to the same place. */
    public static boolean areTogether() {
        try {
            return Files.isSameFile(Path.of("/proc/self/fd/1"), Path.of("/proc/self/fd/2"));
        } catch (IOException e) {
            // One of them is closed, or this is no Linux.
            return false;
        }
    }

    /** One line on standard error. */
    public void say(String message) {
        err.println(message);
    }
}
