package io.lockstep.cli.console;

import io.lockstep.WrongUseException;

/** The command line is invalid. */
public final class UsageException extends WrongUseException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    /** Rejects a number below an option's minimum. */
    public static void checkAtLeast(long least, String option, long given) {
        if (given < least) {
            throw new UsageException(option + " is " + given + ": it must be at least " + least);
        }
    }
}
