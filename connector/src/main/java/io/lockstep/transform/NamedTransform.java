package io.lockstep.transform;

import java.io.Serializable;
import java.util.function.UnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.Internal;

/**
 * A transform of a chain, under its name in messages.
 *
 * @param name of the instance
 */
@Internal
public record NamedTransform(String name, Transform transform) implements Serializable {

    /**
     * @throws IllegalArgumentException if the description has more than one line
     */
    public NamedTransform {
        if (transform.description().lines().count() != 1) {
            throw new IllegalArgumentException(
                    "the description of a transform is one line, not: " + transform.description());
        }
    }

    /**
     * Returns the columns of its result.
     *
     * @throws TransformException that names the transform
     */
    public Schema schema(Schema columns) {
        try {
            return transform.schema(columns);
        } catch (TransformException e) {
            throw named(name, e);
        }
    }

    /** Whether it runs for each step, and not once for each row group. */
    public boolean isOfBatches() {
        return transform instanceof BatchTransform;
    }

    /** Whether it needs statistics before it can run. */
    public boolean isUnfitted() {
        return transform instanceof UnfittedTransform;
    }

    /** Returns the transform with its statistics, or this one if there are none. */
    NamedTransform fitted(FittedValues values) {
        return transform instanceof UnfittedTransform unfitted
                        && values.byTransform().containsKey(name)
                ? new NamedTransform(name, unfitted.fitted(values.byTransform().get(name)))
                : this;
    }

    /**
     * Transforms the rows of a row group.
     *
     * @param rows which are closed
     * @return the transformed rows, which the caller closes
     */
    VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        return checked(rows, before -> ofRows().apply(before, allocator));
    }

    /** Like the other, for the rows of a step. */
    VectorSchemaRoot apply(VectorSchemaRoot rows, StepSamples samples, BufferAllocator allocator) {
        return transform instanceof BatchTransform batches
                ? checked(rows, before -> batches.apply(before, samples, allocator))
                : apply(rows, allocator);
    }

    private RowGroupTransform ofRows() {
        if (transform instanceof RowGroupTransform ofRows) {
            return ofRows;
        }
        throw new IllegalStateException("the transform '" + name + "' has no statistics yet");
    }

    private VectorSchemaRoot checked(
            VectorSchemaRoot rows, UnaryOperator<VectorSchemaRoot> function) {
        try (VectorSchemaRoot before = rows) {
            int count = before.getRowCount();
            VectorSchemaRoot result = function.apply(before);
            if (result.getRowCount() != count) {
                int made = result.getRowCount();
                result.close();
                throw new TransformException(
                        String.format(
                                "The transform '%s' made %d rows of %d; it must keep them.",
                                name, made, count));
            }
            return result;
        } catch (TransformException e) {
            throw named(name, e);
        }
    }

    /** Puts the name of a transform before an error's message. */
    public static TransformException named(String name, TransformException e) {
        String prefix = "The transform '" + name + "'";
        return e.getMessage().startsWith(prefix)
                ? e
                : new TransformException(prefix + ": " + e.getMessage(), e);
    }
}
