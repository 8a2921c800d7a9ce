package io.lockstep.materialize;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** The transforms of a stream's row groups, in the order in which they run. Immutable. */
public final class TransformChain implements Serializable {

    private static final long serialVersionUID = 1L;

    private static final TransformChain EMPTY = new TransformChain(List.of());

    private final List<RowGroupTransform> transforms;

    private TransformChain(List<RowGroupTransform> transforms) {
        this.transforms = transforms;
    }

    /** The empty chain, which leaves rows unchanged. */
    public static TransformChain empty() {
        return EMPTY;
    }

    /**
     * Creates a chain of these transforms, applied in order.
     *
     * @throws IllegalArgumentException if a description has more than one line
     */
    public static TransformChain of(List<RowGroupTransform> transforms) {
        for (RowGroupTransform transform : transforms) {
            if (transform.description().lines().count() != 1) {
                throw new IllegalArgumentException(
                        "the description of a transform is one line, not: "
                                + transform.description());
            }
        }
        return new TransformChain(List.copyOf(transforms));
    }

    /** The columns that result from the chosen ones. */
    public Schema schema(Schema columns) {
        Schema schema = columns;
        for (RowGroupTransform transform : transforms) {
            schema = transform.schema(schema);
        }
        return schema;
    }

    /**
     * An estimate of the memory of transformed rows.
     *
     * @param decoded the memory of the rows as read
     */
    public long bytes(long decoded) {
        long bytes = decoded;
        for (RowGroupTransform transform : transforms) {
            bytes = transform.bytes(bytes);
        }
        return bytes;
    }

    /**
     * The digest of the chosen columns and transforms, which is part of saved states and the
     * content key: the SHA-256 over {@code transforms/1}, a line feed, for each chosen column a
     * line {@code column NAME}, for each column that differs between files a line {@code read} with
     * how it is read, and for each transform a line {@code transform DESCRIPTION}, in UTF-8.
     *
     * @param columns the chosen ones, before any transform
     * @param readings how those are read that differ between files, one line each
     */
    public String digest(Schema columns, List<String> readings) {
        StringBuilder text = new StringBuilder("transforms/1\n");
        columns.getFields()
                .forEach(column -> text.append("column ").append(column.getName()).append('\n'));
        readings.forEach(reading -> text.append("read ").append(reading).append('\n'));
        transforms.forEach(
                transform ->
                        text.append("transform ").append(transform.description()).append('\n'));
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Returns the digest if no chosen column differs between files. */
    public String digest(Schema columns) {
        return digest(columns, List.of());
    }

    /**
     * Transforms rows.
     *
     * @param rows closed, or returned if there are no transforms
     * @return the transformed rows, which the caller closes
     */
    VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        VectorSchemaRoot result = rows;
        for (RowGroupTransform transform : transforms) {
            try (VectorSchemaRoot before = result) {
                int count = before.getRowCount();
                result = transform.apply(before, allocator);
                if (result.getRowCount() != count) {
                    int made = result.getRowCount();
                    result.close();
                    throw new IllegalStateException(
                            String.format(
                                    "the transform '%s' made %d rows of %d: it must keep them",
                                    transform.description(), made, count));
                }
            }
        }
        return result;
    }
}
