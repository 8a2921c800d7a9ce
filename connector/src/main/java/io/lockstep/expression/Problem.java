package io.lockstep.expression;

/** What is wrong at a position of the text, before the text is added to the message. */
final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int at;

    Problem(int at, String message) {
        super(message);
        this.at = at;
    }

    ExpressionException in(String text) {
        return new ExpressionException(text, at, getMessage());
    }
}
