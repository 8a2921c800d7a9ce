package io.lockstep.cache;

import java.nio.file.Path;

/**
 * Why a stored row group can no longer be trusted.
 *
 * @param file the damaged file
 * @param reason completes the sentence "the file ..."
 * @param contentChanged whether bytes changed although the file has its length: rows gathered while
 *     it was pinned may be wrong. A file that is missing or has another length never serves wrong
 *     rows, because {@link PinnedRowGroup#check} rejects rows gathered from it.
 */
public record Damage(Path file, String reason, boolean contentChanged) {

    @Override
    public String toString() {
        return file + " " + reason;
    }
}
