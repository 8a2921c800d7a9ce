package io.lockstep.cli;

import java.io.PrintStream;

/**
 * Where a command writes.
 *
 * @param out results and nothing else; buffered, so it is to be flushed where somebody waits
 * @param err all else
 * @param terminal whether a person reads the results
 */
public record Console(PrintStream out, PrintStream err, boolean terminal) {

    /** One line on standard error. */
    public void say(String message) {
        err.println(message);
    }
}
