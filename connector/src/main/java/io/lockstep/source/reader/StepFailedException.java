package io.lockstep.source.reader;

import java.io.IOException;

/**
 * Thrown if a step cannot be made, with the reason as its cause. It fails the task; Flink's restart
 * strategy decides whether the job restarts.
 */
final class StepFailedException extends IOException {

    private static final long serialVersionUID = 1L;

    StepFailedException(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
