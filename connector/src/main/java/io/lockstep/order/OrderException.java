package io.lockstep.order;

/** Settings that make no order; the message says which, and what to choose. */
public final class OrderException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public OrderException(String message) {
        super(message);
    }
}
