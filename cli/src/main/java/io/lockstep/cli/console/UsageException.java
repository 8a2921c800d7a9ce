package io.lockstep.cli.console;

import io.lockstep.WrongUseException;

/** The command was used in a way that it does not understand. */
public final class UsageException extends WrongUseException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    /** Refuses a number that is too small for its option. */
    public static void checkAtLeast(long least, String option, long given) {
        if (given < least) {
            throw new UsageException(option + " is " + given + ": it must be at least " + least);
        }
    }
}
