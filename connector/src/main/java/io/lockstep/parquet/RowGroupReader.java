package io.lockstep.parquet;

import io.lockstep.UserException;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.Shard;
import java.io.File;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.core.fs.Path;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;

/**
 * Reads row groups of local files with required numbers by parquet-java's column readers.
 * Thread-safe.
 */
public final class RowGroupReader {

    private final Manifest manifest;
    private final Schema schema;

    public RowGroupReader(Manifest manifest, List<String> columns) {
        this.manifest = manifest;
        this.schema = manifest.select(columns);
    }

    public Schema schema() {
        return schema;
    }

    /** Reads one row group; the caller closes it. */
    public VectorSchemaRoot read(int number, BufferAllocator allocator) throws IOException {
        RowGroup rowGroup = manifest.rowGroups().get(number);
        Shard shard = manifest.shards().get(rowGroup.shard());
        File file = new File(new Path(shard.location()).getPath());
        if (file.length() != shard.length() || file.lastModified() != shard.modificationTime()) {
            throw new UserException(
                    "the shard " + shard.path() + " was rewritten after it was planned: plan anew");
        }
        try (ParquetFileReader reader =
                ParquetFileReader.open(
                        new LocalInputFile(file.toPath()),
                        ParquetReadOptions.builder(new PlainParquetConfiguration()).build())) {
            MessageType type = reader.getFileMetaData().getSchema();
            ColumnReadStoreImpl columns =
                    new ColumnReadStoreImpl(
                            reader.readRowGroup(rowGroup.ordinal()),
                            new GroupRecordConverter(type).getRootConverter(),
                            type,
                            "");
            VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
            int rows = Math.toIntExact(rowGroup.rows());
            for (FieldVector vector : root.getFieldVectors()) {
                ColumnDescriptor column =
                        type.getColumnDescription(new String[] {vector.getName()});
                fill(vector, columns.getColumnReader(column), rows);
            }
            root.setRowCount(rows);
            return root;
        }
    }

    private static void fill(FieldVector vector, ColumnReader values, int rows) {
        vector.setInitialCapacity(rows);
        vector.allocateNew();
        for (int row = 0; row < rows; row++) {
            if (vector instanceof BigIntVector longs) {
                longs.set(row, values.getLong());
            } else if (vector instanceof Float4Vector floats) {
                floats.set(row, values.getFloat());
            } else {
                throw new UserException("the column " + vector.getName() + " cannot be read yet");
            }
            values.consume();
        }
        vector.setValueCount(rows);
    }
}
