package io.lockstep.footer;

/** A Parquet type that has no place in Lockstep; the message completes "the column ...". */
final class UnsupportedTypeException extends Exception {

    private static final long serialVersionUID = 1L;

    UnsupportedTypeException(String message) {
        super(message);
    }
}
