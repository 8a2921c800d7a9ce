package io.lockstep.footer;

import io.lockstep.UserException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * The columns of one file, in its order.
 *
 * @param columns those that Lockstep reads
 * @param unreadable the others
 * @param leaves how many chunks a row group has
 */
public record FileSchema(List<FileColumn> columns, List<UnreadableColumn> unreadable, int leaves) {

    static FileSchema of(Footer footer) {
        MessageType message = parse(footer);
        Map<String, Field> stored = StoredArrowSchema.fields(footer.schemaText().arrow());
        List<FileColumn> columns = new ArrayList<>();
        List<UnreadableColumn> unreadable = new ArrayList<>();
        int leaf = 0;
        for (Type type : message.getFields()) {
            try {
                FileColumn column = ColumnMapper.map(message, type, leaf);
                columns.add(StoredArrowSchema.restore(column, stored.get(type.getName())));
            } catch (UnsupportedTypeException e) {
                String reason = e.getMessage();
                unreadable.add(new UnreadableColumn(type.getName(), reason, footer.file()));
            }
            leaf += leaves(type);
        }
        return new FileSchema(columns, unreadable, leaf);
    }

    private static MessageType parse(Footer footer) {
        try {
            FileMetaData all =
                    Util.readFileMetaData(new ByteArrayInputStream(footer.bytes()), true);
            all.setRow_groups(List.of());
            return new ParquetMetadataConverter()
                    .fromParquetMetadata(all)
                    .getFileMetaData()
                    .getSchema();
        } catch (IOException | RuntimeException e) {
            throw new UserException(
                    "The schema of "
                            + footer.file()
                            + " cannot be read ("
                            + e.getMessage()
                            + "); write the file anew.",
                    e);
        }
    }

    private static int leaves(Type type) {
        return type.isPrimitive()
                ? 1
                : type.asGroupType().getFields().stream().mapToInt(FileSchema::leaves).sum();
    }
}
