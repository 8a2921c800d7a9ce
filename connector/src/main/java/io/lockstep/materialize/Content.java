package io.lockstep.materialize;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.Wire;
import io.lockstep.cache.RowGroupKey;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.Shard;
import io.lockstep.order.OrderSettings;
import io.lockstep.parquet.RowGroupReader;
import io.lockstep.transform.SizeEstimate;
import io.lockstep.transform.StepSamples;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A dataset's content under the chosen columns and transforms: the schema of batches, and the key,
 * size and rows of each row group. Thread-safe.
 */
public final class Content {

    /** Changes whenever the stored form of the same row group changes. */
    private static final int FORMAT = 3;

    private static final int SAMPLE_ROWS = 100;

    private final Dataset dataset;
    private final TransformChain ofRowGroups;
    private final TransformChain ofBatches;
    private final RowGroupReader reader;
    private final String digest;
    private final String storedDigest;
    private final List<String> names;
    private final Schema stored;
    private final Schema schema;
    private final SizeEstimate size;
    private final SizeEstimate batchSize;
    private Gather gather;
    private Gather served;

    /**
     * @param columns to read, in this order; empty for all
     * @throws io.lockstep.UserException if a column does not exist or cannot be read
     */
    public Content(
            Dataset dataset, List<String> columns, SchemaRules rules, TransformChain transforms) {
        this.dataset = dataset;
        this.ofRowGroups = transforms.ofRowGroups();
        this.ofBatches = transforms.ofBatches();
        this.reader = new RowGroupReader(dataset.manifest(), columns, rules);
        this.digest = transforms.digest(reader.schema(), readings());
        this.names = reader.schema().getFields().stream().map(Field::getName).toList();
        this.storedDigest = ofRowGroups.digest(reader.schema(), readings());
        this.stored = ofRowGroups.schema(reader.schema());
        this.schema = ofBatches.schema(stored);
        this.size = ofRowGroups.size(reader.schema());
        this.batchSize = ofBatches.size(stored);
    }

    /** Reads columns that all files have with the same type. */
    public Content(Dataset dataset, List<String> columns, TransformChain transforms) {
        this(dataset, columns, SchemaRules.STRICT, transforms);
    }

    private List<String> readings() {
        return reader.schema().getFields().stream()
                .map(dataset.manifest()::reading)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * The schema of the batches that trainers get.
     *
     * @throws io.lockstep.UserException if a column cannot be in a batch
     */
    public Schema wire() {
        return Wire.schema(schema());
    }

    public Dataset dataset() {
        return dataset;
    }

    /** The columns that are read, before any transform. */
    public Schema columns() {
        return reader.schema();
    }

    /** The columns of the rows of a step. */
    public Schema schema() {
        return schema;
    }

    /**
     * Gathers rows of stored row groups.
     *
     * @throws io.lockstep.UserException if a column cannot be in a batch
     */
    public synchronized Gather gather() {
        if (gather == null) {
            gather = new Gather(Wire.schema(stored));
        }
        return gather;
    }

    /**
     * Gathers rows of batches that trainers get.
     *
     * @throws io.lockstep.UserException if a column cannot be in a batch
     */
    public synchronized Gather served() {
        if (served == null) {
            served = ofBatches.isEmpty() ? gather() : new Gather(wire());
        }
        return served;
    }

    /** Makes the batches of steps. */
    StepGather steps() {
        return new StepGather(gather(), served(), ofBatches);
    }

    /** The samples of some lanes of a step, whose ids are still to be filled in. */
    StepSamples samples(OrderSettings order, long epoch, int lanes) {
        long[] ids = new long[lanes * order.perLane()];
        return new StepSamples(ofBatches.stream(), order.seed(), epoch, lanes, ids);
    }

    /**
     * An estimate of the memory of the rows of a step, while they are made.
     *
     * @param bytes of the stored rows
     */
    long stepBytes(long bytes, long rows) {
        long gathered = bytes + Wire.ROW_BYTES * rows;
        return ofBatches.isEmpty()
                ? gathered
                : gathered + batchSize.bytes(bytes, rows) + Wire.ROW_BYTES * rows;
    }

    /** The digest of columns and transforms. */
    public String digest() {
        return digest;
    }

    /** An estimate of the memory of a row group's transformed rows. */
    public long decodedBytes(int rowGroup) {
        long rows = dataset.manifest().rowGroups().get(rowGroup).rows();
        return size.bytes(dataset.manifest().decodedBytes(rowGroup, names), rows);
    }

    /**
     * An estimate of the peak memory of {@link #pack}: a part of the file and the decoded columns,
     * then the columns before and after the transforms, or the latter twice.
     */
    public long decodingBytes(int rowGroup) {
        long stored = dataset.manifest().rowGroups().get(rowGroup).bytes();
        long read = dataset.manifest().decodedBytes(rowGroup, names);
        long transformed = decodedBytes(rowGroup);
        return transformed
                + Math.max(read, transformed)
                + Math.min(stored, RowGroupReader.MAX_FETCHED);
    }

    /** Identifies a row group's content by everything that affects it. */
    public RowGroupKey key(int rowGroup) {
        RowGroup group = dataset.manifest().rowGroups().get(rowGroup);
        Shard shard = dataset.manifest().shards().get(group.shard());
        String values = folderValues(group.shard());
        return new RowGroupKey(
                String.join(
                        "\n",
                        "format " + FORMAT,
                        "file " + shard.location(),
                        "length " + shard.length(),
                        "modified " + shard.modificationTime(),
                        "footer " + shard.footerSha256(),
                        "tail " + shard.tail(),
                        "row group " + group.ordinal(),
                        "transforms " + storedDigest + values));
    }

    /** A line for each column from the names of folders; empty if there are none. */
    private String folderValues(int shard) {
        StringBuilder lines = new StringBuilder();
        for (Field field : reader.schema().getFields()) {
            if (dataset.manifest().isPartition(field)) {
                String text = dataset.manifest().partitionText(shard, field);
                lines.append("\npartition ").append(field.getName());
                lines.append(text == null ? " is null" : "=" + text);
            }
        }
        return lines.toString();
    }

    /**
     * Reads a row group and runs the transforms of row groups.
     *
     * @return the columns that are stored; the caller closes it
     * @throws io.lockstep.UserException if the file has changed or is damaged
     * @throws IOException if it cannot be reached
     */
    public VectorSchemaRoot read(int rowGroup, BufferAllocator allocator) throws IOException {
        return transformed(rowGroup, reader.read(rowGroup, allocator), allocator);
    }

    private VectorSchemaRoot transformed(
            int rowGroup, VectorSchemaRoot rows, BufferAllocator allocator) {
        try {
            return ofRowGroups.apply(rows, allocator);
        } catch (TransformException e) {
            RowGroup group = dataset.manifest().rowGroups().get(rowGroup);
            String file = dataset.manifest().shards().get(group.shard()).location();
            throw e.in(file + ", row group " + group.ordinal());
        }
    }

    /**
     * Tries transforms that may fail on any rows on the first rows of the dataset.
     *
     * @throws io.lockstep.UserException if one fails
     * @throws IOException if the file cannot be reached
     */
    public void tryTransforms() throws IOException {
        OptionalInt first =
                IntStream.range(0, dataset.manifest().rowGroups().size())
                        .filter(group -> dataset.manifest().rowGroups().get(group).rows() > 0)
                        .findFirst();
        if (!ofRowGroups.isTriedOnSample() || first.isEmpty()) {
            return;
        }
        int group = first.getAsInt();
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                VectorSchemaRoot rows = reader.read(group, allocator)) {
            VectorSchemaRoot sample = rows.slice(0, Math.min(rows.getRowCount(), SAMPLE_ROWS));
            transformed(group, sample, allocator).close();
        }
    }

    /**
     * Like {@code read}, in the stored form, which gathers faster.
     *
     * @return vectors for {@link #gather}'s sources, which the caller closes
     */
    VectorSchemaRoot pack(int rowGroup, BufferAllocator allocator) throws IOException {
        return gather().pack(read(rowGroup, allocator), allocator);
    }
}
