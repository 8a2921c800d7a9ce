package io.lockstep.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.ObjIntConsumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes small Parquet files with parquet-java. */
public final class TestParquet {

    private static final int ROWS_OF_GROUP = 100;

    private TestParquet() {}

    /** Writes rows with a column {@code id} of their numbers, 100 to a row group. */
    public static Path write(Path file, int rows) throws IOException {
        return write(
                file,
                "message m { required int64 id; }",
                rows,
                (group, i) -> group.add("id", (long) i));
    }

    /**
     * Writes rows of a schema, 100 to a row group, uncompressed.
     *
     * @param schema in the notation of parquet-java
     * @param fill fills a row, given its number
     */
    public static Path write(Path file, String schema, int rows, ObjIntConsumer<Group> fill)
            throws IOException {
        Files.createDirectories(file.getParent());
        MessageType type = MessageTypeParser.parseMessageType(schema);
        try (ParquetWriter<Group> writer =
                ExampleParquetWriter.builder(new LocalOutputFile(file))
                        .withConf(new PlainParquetConfiguration())
                        .withType(type)
                        .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                        .withWriterVersion(WriterVersion.PARQUET_1_0)
                        .withRowGroupRowCountLimit(ROWS_OF_GROUP)
                        .build()) {
            for (int i = 0; i < rows; i++) {
                Group group = new SimpleGroup(type);
                fill.accept(group, i);
                writer.write(group);
            }
        }
        return file;
    }
}
