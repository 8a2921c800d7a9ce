package io.lockstep.protocol;

/** The answer to a request is pending; the message says what it waits for. Ask again. */
public final class NotYetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotYetException(String why) {
        // Thrown routinely, so it has no stack trace.
        super(why, null, false, false);
    }
}
