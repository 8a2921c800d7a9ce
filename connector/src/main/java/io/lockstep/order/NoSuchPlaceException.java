package io.lockstep.order;

/** A requested epoch, step, lane, sample or rank does not exist in the order. */
public final class NoSuchPlaceException extends OrderException {

    private static final long serialVersionUID = 1L;

    public NoSuchPlaceException(String message) {
        super(message);
    }
}
