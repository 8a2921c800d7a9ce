package io.lockstep.transform;

import io.lockstep.UserException;
import org.apache.flink.annotation.PublicEvolving;

/** A transform that cannot be applied: wrong parameters, wrong columns or a wrong value. */
@PublicEvolving
public class TransformException extends UserException {

    private static final long serialVersionUID = 1L;

    public TransformException(String message) {
        super(message);
    }

    public TransformException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns the same error with the place of the rows.
     *
     * @param place such as a file and a row group
     */
    public TransformException in(String place) {
        return new TransformException(place + ": " + getMessage(), this);
    }
}
