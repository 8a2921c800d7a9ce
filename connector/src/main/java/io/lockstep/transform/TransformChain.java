package io.lockstep.transform;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.Internal;

/**
 * The transforms of a stream, in the order in which they run. Those from the first {@link
 * BatchTransform} on run for each step; those before it, once for each row group. Immutable.
 */
@Internal
public final class TransformChain implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final TransformChain EMPTY = new TransformChain("", List.of());

    private final String stream;
    private final List<NamedTransform> transforms;

    private TransformChain(String stream, List<NamedTransform> transforms) {
        this.stream = stream;
        this.transforms = transforms;
    }

    /** The empty chain, which leaves rows unchanged. */
    public static TransformChain empty() {
        return EMPTY;
    }

    /**
     * Creates a chain of these transforms, applied in order.
     *
     * @param stream the name of the stream, with which random transforms draw
     */
    public static TransformChain of(String stream, List<NamedTransform> transforms) {
        return transforms.isEmpty() ? EMPTY : new TransformChain(stream, List.copyOf(transforms));
    }

    /** The name of the stream; empty for the empty chain. */
    public String stream() {
        return stream;
    }

    /** The transforms, in order. */
    public List<NamedTransform> transforms() {
        return transforms;
    }

    /** The transforms that run once for each row group. */
    public TransformChain ofRowGroups() {
        return of(stream, transforms.subList(0, firstOfBatches()));
    }

    /** The transforms that run for each step. */
    public TransformChain ofBatches() {
        return of(stream, transforms.subList(firstOfBatches(), transforms.size()));
    }

    private int firstOfBatches() {
        int first = 0;
        while (first < transforms.size() && !transforms.get(first).isOfBatches()) {
            first++;
        }
        return first;
    }

    public boolean isEmpty() {
        return transforms.isEmpty();
    }

    /** Whether none of them needs statistics any more. */
    public boolean isFitted() {
        return transforms.stream().noneMatch(NamedTransform::isUnfitted);
    }

    /** Returns the transforms up to the last one that needs statistics. */
    public TransformChain untilFitted() {
        int end = transforms.size();
        while (end > 0 && !transforms.get(end - 1).isUnfitted()) {
            end--;
        }
        return of(stream, transforms.subList(0, end));
    }

    /** Returns the chain in which transforms have these statistics; others stay as they are. */
    public TransformChain fitted(FittedValues values) {
        return of(stream, transforms.stream().map(each -> each.fitted(values)).toList());
    }

    /** Whether one of them may fail on any rows of a correct schema. */
    public boolean isTriedOnSample() {
        return transforms.stream()
                .anyMatch(
                        each ->
                                each.transform() instanceof RowGroupTransform of
                                        && of.isTriedOnSample());
    }

    /**
     * The columns that result from the chosen ones.
     *
     * @throws TransformException if a transform cannot be applied; the message names it
     */
    public Schema schema(Schema columns) {
        Schema schema = columns;
        for (NamedTransform transform : transforms) {
            schema = transform.schema(schema);
        }
        return schema;
    }

    /**
     * Returns how to estimate the memory of transformed rows from that of the rows as read.
     *
     * @param columns the chosen ones
     */
    public SizeEstimate size(Schema columns) {
        SizeEstimate size = (bytes, rows) -> bytes;
        Schema schema = columns;
        for (NamedTransform transform : transforms) {
            SizeEstimate before = size;
            SizeEstimate own = transform.transform().size(schema);
            size = (bytes, rows) -> own.bytes(before.bytes(bytes, rows), rows);
            schema = transform.schema(schema);
        }
        return size;
    }

    /**
     * The digest of the chosen columns and transforms, which is part of saved states and the
     * content key: the SHA-256 over {@code transforms/1}, a line feed, for each chosen column a
     * line {@code column NAME}, for each column that differs between files a line {@code read} with
     * how it is read, for a filter a line {@code filter EXPRESSION}, for a split a line {@code
     * split}, and for each transform a line {@code transform DESCRIPTION}, in UTF-8.
     *
     * @param columns the chosen ones, before any transform
     * @param readings how those are read that differ between files, one line each
     * @param rows which rows are kept, as such lines; empty for all
     */
    public String digest(Schema columns, List<String> readings, List<String> rows) {
        StringBuilder text = new StringBuilder("transforms/1\n");
        columns.getFields()
                .forEach(column -> text.append("column ").append(column.getName()).append('\n'));
        readings.forEach(reading -> text.append("read ").append(reading).append('\n'));
        rows.forEach(line -> text.append(line).append('\n'));
        transforms.forEach(
                transform ->
                        text.append("transform ")
                                .append(transform.transform().description())
                                .append('\n'));
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Returns the digest if no chosen column differs between files, and all rows are kept. */
    public String digest(Schema columns) {
        return digest(columns, List.of(), List.of());
    }

    /**
     * Transforms the rows of a row group; the chain must be {@link #ofRowGroups}.
     *
     * @param rows closed, or returned if there are no transforms
     * @return the transformed rows, which the caller closes
     */
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        VectorSchemaRoot result = rows;
        for (NamedTransform transform : transforms) {
            result = transform.apply(result, allocator);
        }
        return result;
    }

    /** Like the other, for the rows of a step. */
    public VectorSchemaRoot apply(
            VectorSchemaRoot rows, StepSamples samples, BufferAllocator allocator) {
        VectorSchemaRoot result = rows;
        for (NamedTransform transform : transforms) {
            result = transform.apply(result, samples, allocator);
        }
        return result;
    }
}
