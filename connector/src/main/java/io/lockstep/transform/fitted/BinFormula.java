package io.lockstep.transform.fitted;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.DoubleValues;
import io.lockstep.transform.column.NumberType;
import io.lockstep.transform.column.Vectors;
import io.lockstep.transform.statistic.Quantiles;
import io.lockstep.transform.statistic.QuantilesOfColumn;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Replaces numbers by the bin between quantiles that holds them. */
record BinFormula(int bins) implements FittedFormula<Quantiles> {

    @Override
    public Statistic statistic(Field column) {
        DoubleValues.check(column);
        return new QuantilesOfColumn(
                column.getName(),
                IntStream.range(1, bins).mapToObj(i -> (double) i / bins).toList());
    }

    @Override
    public Field replacement(Field column) {
        DoubleValues.check(column);
        FieldType type = new FieldType(column.isNullable(), NumberType.INT64.arrow(), null);
        return new Field(column.getName(), type, null);
    }

    @Override
    public FieldVector replace(
            FieldVector values, Field replacement, Quantiles fitted, BufferAllocator allocator) {
        double[] edges = Arrays.stream(fitted.values()).distinct().toArray();
        FieldVector made = Vectors.fixed(replacement, values.getValueCount(), allocator);
        try {
            Vectors.copyNulls(values, made);
            DoubleValues numbers = DoubleValues.of(values);
            boolean nulls = values.getNullCount() > 0;
            for (int row = 0; row < values.getValueCount(); row++) {
                if (!nulls || !values.isNull(row)) {
                    long bin = bin(edges, numbers.get(row), replacement, row);
                    MemoryUtil.putLong(made.getDataBufferAddress() + (long) row * Long.BYTES, bin);
                }
            }
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    /** The number of edges that are not above the value. */
    private static int bin(double[] edges, double value, Field column, int row) {
        if (value != value) {
            throw new TransformException(
                    String.format(
                            "the column \"%s\" is NaN in row %d of a row group, which is in no bin",
                            column.getName(), row));
        }
        int place = Arrays.binarySearch(edges, value + 0.0);
        return place < 0 ? -place - 1 : place + 1;
    }
}
