package io.lockstep.cli;

import io.lockstep.UserException;

/** The command was used in a way that it does not understand; its exit code is 2. */
public final class UsageException extends UserException {

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
