package io.lockstep.manifest;

import io.lockstep.UserException;
import io.lockstep.footer.FileRowGroup;
import io.lockstep.footer.FileSchema;
import io.lockstep.footer.Footer;
import java.util.List;

/**
 * A file and what its footer told.
 *
 * @param identity of a local file before its footer was read; else null
 * @param tail CRC32C of its end, as {@link Footer} has it
 * @param schema its columns; files of the same schema share it
 */
record PlannedFile(
        FoundFile file,
        FileIdentity identity,
        String footerSha256,
        String tail,
        List<FileRowGroup> rowGroups,
        FileSchema schema) {

    /**
     * @throws UserException where a row group does not have the columns of the schema
     */
    static PlannedFile of(FoundFile file, FileIdentity identity, Footer footer, FileSchema schema) {
        for (FileRowGroup group : footer.rowGroups()) {
            if (group.rows() < 0 || group.chunks().size() != schema.leaves()) {
                throw new UserException(
                        "The footer of "
                                + footer.file()
                                + " is damaged (its row groups do not fit its schema);"
                                + " write the file anew.");
            }
        }
        return new PlannedFile(
                file, identity, footer.sha256(), footer.tail(), footer.rowGroups(), schema);
    }
}
