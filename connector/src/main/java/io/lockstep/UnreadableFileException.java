package io.lockstep;

import org.apache.flink.annotation.Internal;

/**
 * An existing file of a run directory that is empty, truncated, damaged or written by a later
 * release.
 */
@Internal
public class UnreadableFileException extends UserException {

    private static final long serialVersionUID = 1L;

    /**
     * @param file the file's path
     * @param reason what is wrong with it
     * @param remedy what the user can do about it
     */
    public UnreadableFileException(Object file, String reason, String remedy, Throwable cause) {
        super(file + " cannot be read: " + reason + "; " + remedy, cause);
    }
}
