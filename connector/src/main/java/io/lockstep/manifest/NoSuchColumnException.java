package io.lockstep.manifest;

import io.lockstep.UserException;

/** A column was named that the dataset does not have. */
public final class NoSuchColumnException extends UserException {

    private static final long serialVersionUID = 1L;

    NoSuchColumnException(String message) {
        super(message);
    }
}
