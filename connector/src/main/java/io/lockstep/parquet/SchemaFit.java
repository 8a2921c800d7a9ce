package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import io.lockstep.manifest.TypeNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import javax.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Turns the columns of a row group, as its file has them, into those of the dataset: widens types
 * and adds columns that the file lacks. The only place where a file's schema becomes the dataset's.
 */
final class SchemaFit {

    private final Schema dataset;

    SchemaFit(Schema dataset) {
        this.dataset = dataset;
    }

    /**
     * Returns the fields to decode.
     *
     * @param columns the file's columns, by the dataset's fields; null where the file has none
     */
    Schema stored(List<FileColumn> columns) {
        List<Field> fields = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Field field = dataset.getFields().get(i);
            if (columns.get(i) != null) {
                fields.add(
                        isSameType(field, columns.get(i).field()) ? field : columns.get(i).field());
            }
        }
        return new Schema(fields);
    }

    /**
     * Makes the dataset's columns.
     *
     * @param rows decoded as {@link #stored}; closed, or part of the result
     * @param constants the values of columns that are the same in all rows, as {@link
     *     io.lockstep.manifest.Manifest#partitionValue} gives them
     * @return of the dataset's schema; the caller closes it
     * @throws InexactValueException if a value cannot be widened
     */
    VectorSchemaRoot fit(
            VectorSchemaRoot rows,
            int count,
            Map<String, Object> constants,
            BufferAllocator allocator) {
        if (rows.getSchema().getFields().equals(dataset.getFields())) {
            return rows;
        }
        List<FieldVector> fitted = new ArrayList<>();
        try {
            for (Field field : dataset.getFields()) {
                // Of the vectors by this name, a dataset has one.
                FieldVector stored = rows.getVector(field.getName());
                if (stored != null && isSameType(field, stored.getField())) {
                    fitted.add(stored);
                    rows = without(rows, stored);
                } else {
                    FieldVector made = field.createVector(allocator);
                    fitted.add(made);
                    allocate(made, count, constants.get(field.getName()));
                    if (stored != null) {
                        widen(stored, made, count);
                    }
                    made.setValueCount(count);
                }
            }
            return new VectorSchemaRoot(dataset.getFields(), fitted, count);
        } catch (Throwable t) {
            fitted.forEach(FieldVector::close);
            throw t;
        } finally {
            rows.close();
        }
    }

    /** A root whose close leaves the vector open. */
    private static VectorSchemaRoot without(VectorSchemaRoot rows, FieldVector vector) {
        List<FieldVector> others = new ArrayList<>(rows.getFieldVectors());
        others.remove(vector);
        return new VectorSchemaRoot(
                others.stream().map(FieldVector::getField).toList(), others, rows.getRowCount());
    }

    private static boolean isSameType(Field one, Field other) {
        return TypeNames.of(one).equals(TypeNames.of(other));
    }

    private static void allocate(FieldVector vector, int count, @Nullable Object constant) {
        if (constant instanceof byte[] text) {
            VarCharVector texts = (VarCharVector) vector;
            texts.allocateNew((long) text.length * count, count);
            fill(count, i -> texts.set(i, text));
            return;
        }
        vector.setInitialCapacity(count);
        vector.allocateNew();
        if (constant != null) {
            fill(count, setter(vector, constant));
        }
    }

    private static void fill(int count, IntConsumer setter) {
        for (int i = 0; i < count; i++) {
            setter.accept(i);
        }
    }

    private static IntConsumer setter(FieldVector vector, Object constant) {
        if (vector instanceof BaseIntVector numbers) {
            long value = ((Number) constant).longValue();
            return i -> numbers.setWithPossibleTruncate(i, value);
        }
        if (vector instanceof FloatingPointVector numbers) {
            double value = ((Number) constant).doubleValue();
            return i -> numbers.setWithPossibleTruncate(i, value);
        }
        if (vector instanceof DateDayVector days) {
            return i -> days.set(i, (int) constant);
        }
        BitVector bits = (BitVector) vector;
        return i -> bits.set(i, (boolean) constant ? 1 : 0);
    }

    private static void widen(FieldVector from, FieldVector to, int count) {
        if (!to.getChildrenFromFields().isEmpty()) {
            widenElements(from, to, count);
            return;
        }
        IntConsumer copy = copy(from, to);
        for (int i = 0; i < count; i++) {
            if (from.isNull(i)) {
                to.setNull(i);
            } else {
                copy.accept(i);
            }
        }
    }

    /** Lists keep their validity and offsets, whose buffers both vectors then share. */
    private static void widenElements(FieldVector from, FieldVector to, int count) {
        FieldVector narrow = from.getChildrenFromFields().get(0);
        FieldVector wide = to.getChildrenFromFields().get(0);
        int elements = narrow.getValueCount();
        to.loadFieldBuffers(new ArrowFieldNode(count, from.getNullCount()), from.getFieldBuffers());
        wide.setInitialCapacity(elements);
        wide.allocateNew();
        widen(narrow, wide, elements);
        wide.setValueCount(elements);
    }

    private static IntConsumer copy(FieldVector from, FieldVector to) {
        if (from instanceof BaseIntVector narrow && to instanceof BaseIntVector wide) {
            return i -> wide.setWithPossibleTruncate(i, narrow.getValueAsLong(i));
        }
        if (from instanceof Float4Vector narrow && to instanceof Float8Vector wide) {
            return i -> wide.set(i, narrow.get(i));
        }
        if (from instanceof TimeStampVector coarse && to instanceof TimeStampVector fine) {
            long factor = perUnit(to.getField()) / perUnit(from.getField());
            return i -> fine.set(i, times(coarse.get(i), factor, from.getField()));
        }
        throw new IllegalStateException(from.getField() + " cannot become " + to.getField());
    }

    private static long times(long value, long factor, Field field) {
        try {
            return Math.multiplyExact(value, factor);
        } catch (ArithmeticException e) {
            throw new InexactValueException(
                    field.getName(),
                    "its value "
                            + value
                            + " in "
                            + TypeNames.of(field)
                            + " is too far for its type"
                            + " in the other files");
        }
    }

    private static long perUnit(Field timestamp) {
        TimeUnit unit =
                switch (((ArrowType.Timestamp) timestamp.getType()).getUnit()) {
                    case SECOND -> TimeUnit.SECONDS;
                    case MILLISECOND -> TimeUnit.MILLISECONDS;
                    case MICROSECOND -> TimeUnit.MICROSECONDS;
                    case NANOSECOND -> TimeUnit.NANOSECONDS;
                };
        return TimeUnit.SECONDS.toNanos(1) / unit.toNanos(1);
    }

    /** A value that the wider type of its column cannot hold. */
    static final class InexactValueException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String column;

        InexactValueException(String column, String message) {
            super(message);
            this.column = column;
        }

        String column() {
            return column;
        }
    }
}
