package io.lockstep.manifest;

import io.lockstep.WrongUseException;

/** A requested column does not exist in the dataset. */
public final class NoSuchColumnException extends WrongUseException {

    private static final long serialVersionUID = 1L;

    NoSuchColumnException(String message) {
        super(message);
    }
}
