package io.lockstep.cli.console;

import io.lockstep.Printable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The output streams of a command.
 *
 * @param out results only; buffered, so flush it if a reader waits
 * @param err everything else
 * @param terminal whether the results go to a terminal
 * @param together whether both streams lead to the same destination
 */
public record Console(PrintStream out, PrintStream err, boolean terminal, boolean together) {

    /** Whether standard output and standard error of this process lead to the same destination. */
    public static boolean shareDestination() {
        try {
            return Files.isSameFile(Path.of("/proc/self/fd/1"), Path.of("/proc/self/fd/2"));
        } catch (IOException e) {
            // One of them is closed, or this is not Linux.
            return false;
        }
    }

    /**
     * Prints a message on standard error; control characters in it are escaped. Its first line may
     * be followed by details, in lines that are indented by two spaces.
     */
    public void print(String message) {
        err.println(
                Arrays.stream(message.split("\n(?=  )"))
                        .map(Printable::of)
                        .collect(Collectors.joining("\n")));
    }

    /** Prints one line of results; control characters in it are escaped. */
    public void printResult(String line) {
        out.println(Printable.of(line));
    }
}
