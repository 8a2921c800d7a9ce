package io.lockstep.cli;

import io.lockstep.UserException;

/** The command was used in a way that it does not understand; its exit code is 2. */
public final class UsageException extends UserException {

    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
