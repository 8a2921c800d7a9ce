package io.lockstep;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What was asked for cannot be: a setting that is wrong whatever the data hold, or a name that the
 * data do not have. The command's exit code is 2.
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
