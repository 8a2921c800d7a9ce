package io.lockstep.parquet;

import io.lockstep.UserException;
import io.lockstep.footer.ColumnChunk;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.Shard;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.core.fs.Path;

/**
 * Reads chosen columns of a dataset's row groups as Arrow vectors. Only their bytes are fetched, in
 * a few ranges. Thread-safe; each call reads by itself.
 */
public final class RowGroupReader {

    /** Of a row group so much is held undecoded, or one column's chunk where that is more. */
    public static final long MOST_FETCHED = ByteRange.MOST_TOGETHER;

    private final Manifest manifest;
    private final Schema schema;
    private final ShardFiles files;

    /**
     * @param columns names, in the order wanted; empty for all
     * @throws UserException where a column does not exist or cannot be read
     */
    public RowGroupReader(Manifest manifest, List<String> columns) {
        this.manifest = manifest;
        this.schema = manifest.select(columns);
        this.files = new ShardFiles(manifest, schema);
    }

    /** The columns of every row group. */
    public Schema schema() {
        return schema;
    }

    /**
     * Reads a row group.
     *
     * @param rowGroup index in the manifest
     * @param allocator gives the vectors' memory, and during the call that of a range of the file
     *     and of a page
     * @return of {@link #schema}; the caller closes it
     * @throws UserException where the file has changed since it was planned, or is damaged
     * @throws IOException where the file cannot be reached
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
        List<ColumnChunk> chunks = file.chunks().get(group.ordinal());
        for (int i = 0; i < chunks.size(); i++) {
            ColumnChunk chunk = chunks.get(i);
            if (chunk.begin() < 0
                    || chunk.compressedBytes() < 0
                    || chunk.end() > shard.length()
                    || chunk.values() < 0) {
                throw RowGroupDecoder.damaged(
                        schema.getFields().get(i).getName(),
                        group,
                        shard,
                        new IOException("its pages would lie outside of the file"));
            }
            if (chunk.compressedBytes() > Integer.MAX_VALUE - Region.SLACK) {
                throw RowGroupDecoder.damaged(
                        schema.getFields().get(i).getName(),
                        group,
                        shard,
                        new IOException(
                                "its pages take 2 GiB or more, which takes smaller row"
                                        + " groups"));
            }
        }
        try (RangeReader in = new RangeReader(new Path(shard.location()));
                RowGroupDecoder decoder =
                        new RowGroupDecoder(file.columns(), chunks, group, shard, allocator)) {
            try {
                for (ByteRange range : ByteRange.of(chunks)) {
                    decoder.decode(in, range);
                }
            } finally {
                if (file.identity() != null) {
                    // It may have been replaced or written while it was read.
                    files.check(group.shard());
                }
            }
            return decoder.finish(schema);
        }
    }
}
