package io.lockstep.manifest;

import io.lockstep.WrongUseException;

/** A column was named that the dataset does not have. */
public final class NoSuchColumnException extends WrongUseException {

    private static final long serialVersionUID = 1L;

    NoSuchColumnException(String message) {
        super(message);
    }
}
