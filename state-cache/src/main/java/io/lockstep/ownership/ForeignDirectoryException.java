package io.lockstep.ownership;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Thrown if a directory with a predictable name does not belong to this user, so it must not hold
 * private data.
 */
public final class ForeignDirectoryException extends FileSystemException {

    private static final long serialVersionUID = 1L;

    /**
     * @param reason completes the sentence "the directory ..."
     */
    ForeignDirectoryException(Path directory, String reason) {
        super(directory.toString(), null, reason);
    }
}
