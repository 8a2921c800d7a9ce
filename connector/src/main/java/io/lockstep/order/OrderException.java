package io.lockstep.order;

/**
 * Settings that do not yield an order, or a place outside of it. The message lists valid choices.
 */
public class OrderException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public OrderException(String message) {
        super(message);
    }
}
