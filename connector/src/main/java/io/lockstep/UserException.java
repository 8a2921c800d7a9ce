package io.lockstep;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A fault that whoever runs the job can mend: wrong input, wrong settings, a file that changed.
 *
 * <p>The message is one or two sentences that say what was wrong, where, and what to do; the
 * command prints it without a stack trace. A job that it fails is not restarted: the fault would be
 * the same.
 */
@PublicEvolving
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public class UserException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UserException(String message) {
        super(message);
    }

    public UserException(String message, Throwable cause) {
        super(message, cause);
    }
}
