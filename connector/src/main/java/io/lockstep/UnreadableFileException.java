package io.lockstep;

import org.apache.flink.annotation.Internal;

/**
 * A file of a run directory that is there, but is empty, truncated, damaged or of a later release.
 */
@Internal
public class UnreadableFileException extends UserException {

    private static final long serialVersionUID = 1L;

    /**
     * @param file its path
     * @param reason what is wrong with it
     * @param remedy what to do
     */
    public UnreadableFileException(Object file, String reason, String remedy, Throwable cause) {
        super(file + " cannot be read: " + reason + "; " + remedy, cause);
    }
}
