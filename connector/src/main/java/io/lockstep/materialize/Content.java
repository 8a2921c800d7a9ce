package io.lockstep.materialize;

import io.lockstep.batch.Gather;
import io.lockstep.batch.Wire;
import io.lockstep.cache.RowGroupKey;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.Shard;
import io.lockstep.parquet.RowGroupReader;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What the rows of a dataset become under the chosen columns and transforms: the schema of batches,
 * and for each row group its key, size and rows. Immutable and thread-safe.
 */
public final class Content {

    /** Changes whenever the same row group would be stored in another form. */
    private static final int FORMAT = 3;

    private final Dataset dataset;
    private final TransformChain transforms;
    private final RowGroupReader reader;
    private final String digest;
    private final Gather gather;
    private final long[] decodedBytes;
    private final long allBytes;

    /**
     * @param columns to read, in this order; empty for all
     * @throws io.lockstep.UserException where a column does not exist, cannot be read, or cannot be
     *     in a batch
     */
    public Content(Dataset dataset, List<String> columns, TransformChain transforms) {
        this.dataset = dataset;
        this.transforms = transforms;
        this.reader = new RowGroupReader(dataset.manifest(), columns);
        this.digest = transforms.digest(reader.schema());
        this.gather = new Gather(wire(dataset.manifest(), columns, transforms));
        this.decodedBytes = decodedBytes(dataset.manifest(), reader.schema(), transforms);
        this.allBytes = LongStream.of(decodedBytes).sum();
    }

    /**
     * The schema of the batches that trainers get.
     *
     * @throws io.lockstep.UserException as the constructor
     */
    public static Schema wire(Manifest manifest, List<String> columns, TransformChain transforms) {
        return Wire.schema(transforms.schema(manifest.select(columns)));
    }

    private static long[] decodedBytes(
            Manifest manifest, Schema columns, TransformChain transforms) {
        List<String> names = columns.getFields().stream().map(Field::getName).toList();
        return IntStream.range(0, manifest.rowGroups().size())
                .mapToLong(group -> transforms.bytes(manifest.decodedBytes(group, names)))
                .toArray();
    }

    public Dataset dataset() {
        return dataset;
    }

    /** Gathers batches of rows of this content. */
    public Gather gather() {
        return gather;
    }

    /** The digest of columns and transforms. */
    public String digest() {
        return digest;
    }

    /** An estimate of the memory of a row group, as {@link #load} makes it. */
    public long decodedBytes(int rowGroup) {
        return decodedBytes[rowGroup];
    }

    /** The same of some rows, from the average of the dataset. Takes no pass over row groups. */
    public long decodedBytesOfRows(long rows) {
        return (long) ((double) allBytes / Math.max(1, dataset.manifest().rows()) * rows);
    }

    /** Names a row group's content by everything that shapes it. */
    public RowGroupKey key(int rowGroup) {
        RowGroup group = dataset.manifest().rowGroups().get(rowGroup);
        Shard shard = dataset.manifest().shards().get(group.shard());
        return new RowGroupKey(
                String.join(
                        "\n",
                        "format " + FORMAT,
                        "file " + shard.location(),
                        "length " + shard.length(),
                        "modified " + shard.modificationTime(),
                        "footer " + shard.footerSha256(),
                        "row group " + group.ordinal(),
                        "transforms " + digest));
    }

    /**
     * Reads and transforms a row group.
     *
     * @return vectors for {@link #gather}'s sources, which the caller closes
     * @throws io.lockstep.UserException where the file has changed or is damaged
     * @throws IOException where it cannot be reached
     */
    public VectorSchemaRoot load(int rowGroup, BufferAllocator allocator) throws IOException {
        return gather.pack(
                transforms.apply(reader.read(rowGroup, allocator), allocator), allocator);
    }
}
