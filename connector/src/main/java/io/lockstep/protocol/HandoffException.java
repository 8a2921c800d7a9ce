package io.lockstep.protocol;

/** A request failed with an error code. Thrown by the server and by the client. */
public final class HandoffException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public HandoffException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
