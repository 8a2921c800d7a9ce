package io.lockstep.footer;

import java.util.List;

/**
 * The footer of a Parquet file.
 *
 * @param file the location of the file, for messages
 * @param sha256 SHA-256 of the serialised FileMetaData, in lower-case hexadecimal
 * @param tail CRC32C of the file's last 64 KiB in hexadecimal; most files have data pages there
 * @param rowGroups the row groups in file order
 * @param schemaText the source of the file's schema; files with an equal text have an equal schema
 */
public record Footer(
        String file,
        String sha256,
        String tail,
        List<FileRowGroup> rowGroups,
        SchemaText schemaText) {

    /** Returns the columns of the file. */
    public FileSchema schema() {
        return FileSchema.of(this);
    }
}
