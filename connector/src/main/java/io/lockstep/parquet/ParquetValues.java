package io.lockstep.parquet;

import java.io.IOException;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.values.ValuesReader;

/** Opens pages with parquet-java's readers, one value a call. */
final class ParquetValues {

    private ParquetValues() {}

    /**
     * @throws IOException where parquet-java does not read this encoding for the column's type
     */
    static ValuesReader open(ColumnDescriptor column, DataPage page) throws IOException {
        try {
            ValuesReader reader = page.encoding().getValuesReader(column, ValuesType.VALUES);
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
}
