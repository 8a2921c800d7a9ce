package io.lockstep.transform.python;

import java.io.IOException;

/**
 * A worker that died or hung during a call. The message is a clause whose subject is the worker,
 * with the last lines that it printed.
 */
final class WorkerLostException extends IOException {

    private static final long serialVersionUID = 1L;

    WorkerLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
