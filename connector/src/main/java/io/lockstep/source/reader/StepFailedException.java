package io.lockstep.source.reader;

import java.io.IOException;

/**
 * A step could not be made; the cause says why. It fails the task, and Flink's restart strategy
 * decides.
 */
final class StepFailedException extends IOException {

    private static final long serialVersionUID = 1L;

    StepFailedException(Throwable cause) {
        super(cause.getMessage(), cause);
    }
}
