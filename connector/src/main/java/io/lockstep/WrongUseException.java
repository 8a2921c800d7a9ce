package io.lockstep;

import org.apache.flink.annotation.PublicEvolving;

/**
 * An invalid request: a setting that is wrong regardless of the data, or a name that the data do
 * not contain. The command exits with code 2.
 */
@PublicEvolving
public class WrongUseException extends UserException {

    private static final long serialVersionUID = 1L;

    public WrongUseException(String message) {
        super(message);
    }

    public WrongUseException(String message, Throwable cause) {
        super(message, cause);
    }
}
