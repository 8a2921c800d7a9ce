package io.lockstep.order;

/** What was asked for is not in the order: an epoch, step, lane, sample, or rank of a world. */
public final class NoSuchPlaceException extends OrderException {

    private static final long serialVersionUID = 1L;

    public NoSuchPlaceException(String message) {
        super(message);
    }
}
