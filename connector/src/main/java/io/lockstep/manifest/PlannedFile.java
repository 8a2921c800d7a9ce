package io.lockstep.manifest;

import io.lockstep.UserException;
import io.lockstep.footer.FileRowGroup;
import io.lockstep.footer.FileSchema;
import io.lockstep.footer.Footer;
import java.util.List;

/**
 * A file and the content of its footer.
 *
 * @param identity the identity of a local file before its footer was read; null if not local
 * @param tail CRC32C of the end of the file, as in {@link Footer}
 * @param schema the columns; files with the same schema share the instance
 */
record PlannedFile(
        FoundFile file,
        FileIdentity identity,
        String footerSha256,
        String tail,
        List<FileRowGroup> rowGroups,
        FileSchema schema) {

    /**
     * @throws UserException if a row group does not have the columns of the schema
     */
    static PlannedFile of(FoundFile file, FileIdentity identity, Footer footer, FileSchema schema) {
        for (FileRowGroup group : footer.rowGroups()) {
            if (group.rows() < 0 || group.chunks().size() != schema.leaves()) {
                throw new UserException(
                        "The footer of "
                                + footer.file()
                                + " is damaged (its row groups do not fit its schema);"
                                + " write the file again.");
            }
        }
        return new PlannedFile(
                file, identity, footer.sha256(), footer.tail(), footer.rowGroups(), schema);
    }
}
