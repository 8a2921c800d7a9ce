package io.lockstep.footer;

/**
 * A Parquet type that Lockstep does not support. The message completes the sentence "the column
 * ...".
 */
final class UnsupportedTypeException extends Exception {

    private static final long serialVersionUID = 1L;

    UnsupportedTypeException(String message) {
        super(message);
    }
}
