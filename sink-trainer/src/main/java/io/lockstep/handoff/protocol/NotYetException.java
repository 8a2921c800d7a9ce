package io.lockstep.handoff.protocol;

/**
 * A request whose answer is not there yet; the message says what it waits for. Asking again is
 * right.
 */
public final class NotYetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public NotYetException(String why) {
        // A part of normal life, so without the cost of a stack trace.
        super(why, null, false, false);
    }
}
