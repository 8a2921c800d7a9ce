package io.lockstep;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * An error that the user can fix: wrong input, wrong settings or a changed file.
 *
 * <p>The message says in one or two sentences what is wrong, where, and what to do. The command
 * prints it without a stack trace. A job that fails with this exception is not restarted, because
 * it would fail again in the same way.
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
