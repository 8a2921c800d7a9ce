package io.lockstep.parquet;

import io.lockstep.UserException;
import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.Shard;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.core.fs.Path;

/**
 * Reads selected columns of a dataset's row groups as Arrow vectors. Fetches only the bytes of
 * these columns, in few ranges. Thread-safe; calls are independent.
 */
public final class RowGroupReader {

    /**
     * The maximum number of undecoded bytes of a row group in memory, unless a single column chunk
     * is larger.
     */
    public static final long MAX_FETCHED = ByteRange.MAX_TOGETHER;

    private final Manifest manifest;
    private final Schema schema;
    private final SchemaFit fit;
    private final ShardFiles files;

    /**
     * @param columns the columns as users select them; empty for all columns
     * @throws UserException if a column does not exist or cannot be read
     */
    public RowGroupReader(Manifest manifest, List<String> columns, SchemaRules rules) {
        this.manifest = manifest;
        this.schema = manifest.select(columns, rules);
        this.fit = new SchemaFit(schema);
        this.files = new ShardFiles(manifest, schema);
    }

    /** Reads columns that all files have with the same type. */
    public RowGroupReader(Manifest manifest, List<String> columns) {
        this(manifest, columns, SchemaRules.STRICT);
    }

    /** Returns the schema of every row group. */
    public Schema schema() {
        return schema;
    }

    /**
     * Reads a row group.
     *
     * @param rowGroup the index in the manifest
     * @param allocator allocates the vectors and, during the call, a range of the file and a page
     * @return the row group with {@link #schema}; the caller closes it
     * @throws UserException if the file has changed since it was planned, or is damaged
     * @throws IOException with the file and the row group if it cannot be accessed
     */
    public VectorSchemaRoot read(int rowGroup, BufferAllocator allocator) throws IOException {
        RowGroup group = manifest.rowGroups().get(rowGroup);
        Shard shard = manifest.shards().get(group.shard());
        if (group.rows() > Integer.MAX_VALUE) {
            throw new UserException(
                    "Row group "
                            + group.ordinal()
                            + " of "
                            + shard.location()
                            + " has "
                            + group.rows()
                            + " rows; write row groups of fewer than 2^31 rows.");
        }
        ShardFile file = files.check(group.shard());
        Schema stored = fit.stored(file.columns());
        List<ColumnChunk> chunks = file.chunks().get(group.ordinal());
        for (int i = 0; i < chunks.size(); i++) {
            ColumnChunk chunk = chunks.get(i);
            if (chunk.begin() < 0
                    || chunk.compressedBytes() < 0
                    || chunk.end() > shard.length()
                    || chunk.values() < 0) {
                throw RowGroupDecoder.damaged(
                        stored.getFields().get(i).getName(),
                        group,
                        shard,
                        new IOException("its pages would lie outside of the file"));
            }
            if (chunk.compressedBytes() > Integer.MAX_VALUE - Region.SLACK) {
                throw RowGroupDecoder.damaged(
                        stored.getFields().get(i).getName(),
                        group,
                        shard,
                        new IOException(
                                "its pages take 2 GiB or more, which takes smaller row"
                                        + " groups"));
            }
        }
        try (RangeReader in = new RangeReader(new Path(shard.location()));
                RowGroupDecoder decoder =
                        new RowGroupDecoder(present(file), chunks, group, shard, allocator)) {
            try {
                for (ByteRange range : ByteRange.of(chunks)) {
                    decoder.decode(in, range);
                }
            } catch (FileNotFoundException | InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                throw new IOException(
                        "row group "
                                + group.ordinal()
                                + " of "
                                + shard.location()
                                + " cannot be read: "
                                + e.getMessage(),
                        e);
            } finally {
                if (file.identity() != null) {
                    // The file may have been replaced or modified during the read.
                    files.check(group.shard());
                }
            }
            return fit.fit(
                    decoder.finish(stored),
                    Math.toIntExact(group.rows()),
                    folderValues(group.shard()),
                    allocator);
        } catch (SchemaFit.InexactValueException e) {
            throw RowGroupDecoder.damaged(e.column(), group, shard, e);
        }
    }

    /** The values of columns that come from the names of folders. */
    private Map<String, Object> folderValues(int shard) {
        Map<String, Object> values = new HashMap<>();
        for (Field field : schema.getFields()) {
            if (manifest.isPartition(field)) {
                values.put(field.getName(), manifest.partitionValue(shard, field));
            }
        }
        return values;
    }

    private static List<FileColumn> present(ShardFile file) {
        return file.columns().stream().filter(Objects::nonNull).toList();
    }
}
