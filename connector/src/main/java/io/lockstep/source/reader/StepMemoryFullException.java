package io.lockstep.source.reader;

import org.apache.arrow.memory.OutOfMemoryException;

/** A step needs more memory than the reader's other steps leave. */
final class StepMemoryFullException extends OutOfMemoryException {

    private static final long serialVersionUID = 1L;

    private final long bytes;

    /**
     * @param bytes that the step needs
     */
    StepMemoryFullException(long bytes) {
        super("the memory for steps has no room for " + bytes + " bytes");
        this.bytes = bytes;
    }

    long bytes() {
        return bytes;
    }
}
