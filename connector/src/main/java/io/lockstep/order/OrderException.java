package io.lockstep.order;

/** Settings that make no order, or a place that it has not; the message says what to choose. */
public class OrderException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public OrderException(String message) {
        super(message);
    }
}
