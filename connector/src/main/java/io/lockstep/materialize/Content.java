package io.lockstep.materialize;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.RowNumbers;
import io.lockstep.batch.Wire;
import io.lockstep.cache.RowGroupKey;
import io.lockstep.dataset.Dataset;
import io.lockstep.filter.KeptRowsReader;
import io.lockstep.filter.RowFilter;
import io.lockstep.filter.Split;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.manifest.Shard;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.parquet.RowGroupReader;
import io.lockstep.transform.SizeEstimate;
import io.lockstep.transform.StepSamples;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformException;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import javax.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A dataset's content under the chosen columns and transforms: the schema of batches, and the key,
 * size and rows of each row group. Thread-safe.
 */
public final class Content {

    /** The most memory that row groups may take while several are decoded at a time. */
    private static final long DECODING_BYTES = 1L << 30;

    /** Changes whenever the stored form of the same row group changes. */
    private static final int FORMAT = 3;

    private static final int SAMPLE_ROWS = 100;

    private final Dataset dataset;
    private final SchemaRules rules;
    private final TransformChain ofRowGroups;
    private final TransformChain ofBatches;
    private final Schema columns;
    private final RowGroupReader reader;

    /** Drops rows; null if all are kept. */
    @Nullable private final KeptContent kept;

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
        this.rules = rules;
        this.ofRowGroups = transforms.ofRowGroups();
        this.ofBatches = transforms.ofBatches();
        this.columns = dataset.manifest().select(columns, rules);
        this.names = names(this.columns);
        RowFilter filter = filter(dataset, rules);
        this.reader =
                new RowGroupReader(
                        dataset.manifest(), filter == null ? columns : read(names, filter), rules);
        this.kept =
                filter == null
                        ? null
                        : new KeptContent(dataset.manifest(), dataset.kept(), filter, this.columns);
        List<String> rows = filter == null ? List.of() : dataset.kept().selection().description();
        this.digest = transforms.digest(this.columns, readings(), rows);
        this.storedDigest = ofRowGroups.digest(this.columns, readings(), rows);
        this.stored = ofRowGroups.schema(this.columns);
        this.schema = ofBatches.schema(stored);
        this.size = ofRowGroups.size(this.columns);
        this.batchSize = ofBatches.size(stored);
    }

    @Nullable
    private static RowFilter filter(Dataset dataset, SchemaRules rules) {
        return dataset.kept() == null
                ? null
                : new RowFilter(dataset.kept().selection(), dataset.manifest(), rules);
    }

    /** The columns of the rows, and those that only the filter uses. */
    private static List<String> read(List<String> names, RowFilter filter) {
        Set<String> all = new LinkedHashSet<>(names);
        all.addAll(filter.columns());
        return List.copyOf(all);
    }

    private static List<String> names(Schema schema) {
        return schema.getFields().stream().map(Field::getName).toList();
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
        return columns;
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

    /** Translates between sample ids and an order over its dataset. */
    public SampleIds sampleIds(Order order) {
        return new SampleIds(
                dataset,
                order,
                dataset.kept() == null
                        ? null
                        : new KeptRowsReader(
                                dataset.kept().selection(), dataset.manifest(), rules));
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
        long rows = dataset.rows(rowGroup);
        long numbers = kept == null ? 0 : rows * Integer.BYTES;
        return size.bytes(keptBytes(rowGroup), rows) + numbers;
    }

    /** An estimate of the memory of a row group's kept rows before any transform. */
    private long keptBytes(int rowGroup) {
        long all = dataset.manifest().rowGroups().get(rowGroup).rows();
        long bytes = dataset.manifest().decodedBytes(rowGroup, names);
        return kept == null || all == 0
                ? bytes
                : (long) Math.ceil((double) bytes / all * dataset.rows(rowGroup));
    }

    /**
     * Returns how many threads can read row groups at a time, outside of a job: one a processor,
     * but no more than take {@link #DECODING_BYTES} together.
     */
    public int readersAtATime() {
        int rowGroups = dataset.manifest().rowGroups().size();
        long most = 1;
        for (int i = 0; i < rowGroups; i++) {
            most = Math.max(most, decodingBytes(i));
        }
        long fitting = Math.max(1, DECODING_BYTES / most);
        int processors = Runtime.getRuntime().availableProcessors();
        return (int) Math.min(fitting, Math.min(processors, Math.max(1, rowGroups)));
    }

    /**
     * An estimate of the peak memory of {@link #pack}: a part of the file and the decoded columns,
     * then the columns before and after the transforms, or the latter twice.
     */
    public long decodingBytes(int rowGroup) {
        long stored = dataset.manifest().rowGroups().get(rowGroup).bytes();
        long read = dataset.manifest().decodedBytes(rowGroup, names(reader.schema()));
        long dropping = kept == null ? read : read + keptBytes(rowGroup);
        long transformed = decodedBytes(rowGroup);
        return transformed
                + Math.max(dropping, transformed)
                + Math.min(stored, RowGroupReader.MAX_FETCHED);
    }

    /** Identifies a row group's content by everything that affects it. */
    public RowGroupKey key(int rowGroup) {
        RowGroup group = dataset.manifest().rowGroups().get(rowGroup);
        Shard shard = dataset.manifest().shards().get(group.shard());
        String values = folderValues(group.shard()) + place(rowGroup);
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

    /** A line if the rows that are kept depend on their ids; else empty. */
    private String place(int rowGroup) {
        if (dataset.kept() == null) {
            return "";
        }
        Split split = dataset.kept().selection().split();
        return split == null || split.by() != null
                ? ""
                : "\nfirst sample " + dataset.firstSampleOf(rowGroup);
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
     * Reads the rows of a row group that are not left out, and runs the transforms of row groups.
     *
     * @return the columns that are stored; the caller closes it
     * @throws io.lockstep.UserException if the file has changed or is damaged
     * @throws IOException if it cannot be reached
     */
    public VectorSchemaRoot read(int rowGroup, BufferAllocator allocator) throws IOException {
        return rows(rowGroup, allocator).root();
    }

    private KeptContent.Rows rows(int rowGroup, BufferAllocator allocator) throws IOException {
        KeptContent.Rows rows = untransformed(rowGroup, allocator);
        return new KeptContent.Rows(transformed(rowGroup, rows.root(), allocator), rows.numbers());
    }

    private KeptContent.Rows untransformed(int rowGroup, BufferAllocator allocator)
            throws IOException {
        VectorSchemaRoot read = reader.read(rowGroup, allocator);
        return kept == null ? new KeptContent.Rows(read, null) : kept.of(rowGroup, read, allocator);
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
                        .filter(group -> dataset.rows(group) > 0)
                        .findFirst();
        if (!ofRowGroups.isTriedOnSample() || !ofRowGroups.isFitted() || first.isEmpty()) {
            return;
        }
        int group = first.getAsInt();
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                VectorSchemaRoot rows = untransformed(group, allocator).root()) {
            VectorSchemaRoot sample = rows.slice(0, Math.min(rows.getRowCount(), SAMPLE_ROWS));
            transformed(group, sample, allocator).close();
        }
    }

    /**
     * Like {@code read}, with the rows' numbers if some are left out.
     *
     * @return vectors for {@link #gather}'s sources, which the caller closes
     */
    VectorSchemaRoot source(int rowGroup, BufferAllocator allocator) throws IOException {
        KeptContent.Rows rows = rows(rowGroup, allocator);
        return numbered(rows.root(), rows.numbers(), allocator);
    }

    /** Like {@code source}, in the stored form, which gathers faster. */
    VectorSchemaRoot pack(int rowGroup, BufferAllocator allocator) throws IOException {
        KeptContent.Rows rows = rows(rowGroup, allocator);
        return numbered(gather().pack(rows.root(), allocator), rows.numbers(), allocator);
    }

    private static VectorSchemaRoot numbered(
            VectorSchemaRoot root, @Nullable int[] numbers, BufferAllocator allocator) {
        return numbers == null ? root : RowNumbers.add(root, numbers, allocator);
    }
}
