package io.lockstep.footer;

import java.util.List;

/**
 * A Parquet file's footer.
 *
 * @param file the file's location, for messages
 * @param sha256 SHA-256 of the serialised FileMetaData, in lower-case hexadecimal
 * @param tail CRC32C of the file's last 64 KiB in hexadecimal, which has data pages in most files
 * @param rowGroups in the order of the file
 * @param schemaText what the file's schema is made from; files that agree in it agree in schema
 */
public record Footer(
        String file,
        String sha256,
        String tail,
        List<FileRowGroup> rowGroups,
        SchemaText schemaText) {

    /** The columns of this file. */
    public FileSchema schema() {
        return FileSchema.of(this);
    }
}
