package io.lockstep.handoff.shm;

/** Shared memory cannot hold a batch; the message names the size to set. */
public final class NoRoomException extends Exception {

    private static final long serialVersionUID = 1L;

    NoRoomException(String message) {
        super(message);
    }
}
