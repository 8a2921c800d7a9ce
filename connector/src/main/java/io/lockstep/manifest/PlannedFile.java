package io.lockstep.manifest;

import io.lockstep.UserException;
import io.lockstep.footer.FileRowGroup;
import io.lockstep.footer.FileSchema;
import io.lockstep.footer.Footer;
import java.util.List;

/**
 * A file and what its footer told.
 *
 * @param schema its columns; files of the same schema share it
 */
record PlannedFile(
        FoundFile file, String footerSha256, List<FileRowGroup> rowGroups, FileSchema schema) {

    /**
     * @throws UserException where a row group does not have the columns of the schema
     */
    static PlannedFile of(FoundFile file, Footer footer, FileSchema schema) {
        for (FileRowGroup group : footer.rowGroups()) {
            if (group.rows() < 0 || group.chunks().size() != schema.leaves()) {
                throw new UserException(
                        "The footer of "
                                + footer.file()
                                + " is damaged (its row groups do not fit its schema);"
                                + " write the file anew.");
            }
        }
        return new PlannedFile(file, footer.sha256(), footer.rowGroups(), schema);
    }
}
