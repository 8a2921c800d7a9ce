package io.lockstep.cli.stats;

import io.lockstep.cli.rows.Cells;
import io.lockstep.manifest.TypeNames;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Summarises the values of a column, row group by row group. Not thread-safe. */
final class ColumnValues {

    private final Field field;
    private final boolean compared;
    private long rows;
    private long nulls;
    private long nans;
    private Object min;
    private Object max;
    private final DistinctEstimate distinct = new DistinctEstimate();
    private final ValueCounts counts = new ValueCounts();

    ColumnValues(Field field) {
        this.field = field;
        this.compared = isCompared(field.getType());
    }

    /** Lists, bytes and decimals are only counted: what is shown of them has no order. */
    private static boolean isCompared(ArrowType type) {
        return switch (type.getTypeID()) {
            case Int, FloatingPoint, Bool, Utf8, Date, Time, Timestamp -> true;
            default -> false;
        };
    }

    /** Adds all values of a vector of this field. */
    void add(FieldVector vector) {
        int count = vector.getValueCount();
        rows += count;
        for (int row = 0; row < count; row++) {
            if (vector.isNull(row)) {
                nulls++;
            } else if (compared) {
                add(plain(Cells.value(vector, row)));
            }
        }
    }

    /** One class for each type, so that values of a column can be compared. */
    private static Object plain(Object value) {
        if (value instanceof Float || value instanceof Double) {
            return ((Number) value).doubleValue();
        }
        return value instanceof Integer number ? (Object) number.longValue() : value;
    }

    private void add(Object value) {
        if (value instanceof Double number && number.isNaN()) {
            nans++;
            return;
        }
        range(value);
        distinct.add(value);
        counts.add(value, 1);
    }

    @SuppressWarnings("unchecked")
    private void range(Object value) {
        if (min == null || ((Comparable<Object>) value).compareTo(min) < 0) {
            min = value;
        }
        if (max == null || ((Comparable<Object>) value).compareTo(max) > 0) {
            max = value;
        }
    }

    void add(ColumnValues other) {
        rows += other.rows;
        nulls += other.nulls;
        nans += other.nans;
        if (other.min != null) {
            range(other.min);
            range(other.max);
        }
        distinct.add(other.distinct);
        counts.add(other.counts);
    }

    ColumnSummary summary() {
        return new ColumnSummary(
                field.getName(),
                TypeNames.of(field),
                rows,
                nulls,
                nans,
                min,
                max,
                compared ? distinct.count() : null,
                distinct.isExact(),
                compared ? counts.sorted() : null);
    }
}
