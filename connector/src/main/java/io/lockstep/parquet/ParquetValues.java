package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.format.Type;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/** Opens pages with parquet-java's readers, which return one value per call. */
final class ParquetValues {

    private ParquetValues() {}

    /**
     * @throws IOException if parquet-java does not support this encoding for the column's type
     */
    static ValuesReader open(FileColumn column, DataPage page) throws IOException {
        try {
            ValuesReader reader =
                    page.encoding().getValuesReader(descriptor(column), ValuesType.VALUES);
            reader.initFromPage(page.count(), ByteBufferInputStream.wrap(page.values().buffer()));
            return reader;
        } catch (UnsupportedOperationException e) {
            throw new IOException(
                    "its pages are encoded as "
                            + page.encoding()
                            + ", which Lockstep does not read",
                    e);
        }
    }

    private static ColumnDescriptor descriptor(FileColumn column) {
        PrimitiveType type =
                new PrimitiveType(
                        Repetition.REQUIRED,
                        primitive(column.physical().type()),
                        column.physical().length(),
                        column.name());
        return new ColumnDescriptor(
                new String[] {column.name()},
                type,
                column.maxRepetitionLevel(),
                column.levels().value());
    }

    private static PrimitiveTypeName primitive(Type type) {
        return type == Type.BYTE_ARRAY
                ? PrimitiveTypeName.BINARY
                : PrimitiveTypeName.valueOf(type.name());
    }
}
