package io.lockstep.testing;

import io.lockstep.parquet.RowGroupReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;

/** Writes what was read as Arrow files, for Python to look at. */
public final class ArrowFiles {

    private ArrowFiles() {}

    /** Writes a record batch for each row group of a reader. */
    public static void write(
            Path file, RowGroupReader reader, int rowGroups, BufferAllocator allocator)
            throws IOException {
        try (VectorSchemaRoot root = VectorSchemaRoot.create(reader.schema(), allocator);
                FileOutputStream out = new FileOutputStream(file.toFile());
                ArrowFileWriter writer = new ArrowFileWriter(root, null, out.getChannel())) {
            writer.start();
            for (int i = 0; i < rowGroups; i++) {
                try (VectorSchemaRoot group = reader.read(i, allocator);
                        ArrowRecordBatch batch = new VectorUnloader(group).getRecordBatch()) {
                    new VectorLoader(root).load(batch);
                    writer.writeBatch();
                }
            }
            writer.end();
        }
    }
}
