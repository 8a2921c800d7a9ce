package io.lockstep.transform.statistic;

import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.DoubleValues;
import java.util.Arrays;
import org.apache.arrow.vector.FieldVector;

/** The numbers of a column that count for a statistic. */
final class Numbers {

    private Numbers() {}

    /**
     * Returns the values that are neither null nor NaN, in the order of the rows, with 0 for -0.
     *
     * @throws TransformException if one is infinite
     */
    static double[] of(FieldVector column) {
        DoubleValues values = DoubleValues.of(column);
        int rows = column.getValueCount();
        boolean nulls = column.getNullCount() > 0;
        double[] numbers = new double[rows];
        int count = 0;
        for (int row = 0; row < rows; row++) {
            if (nulls && column.isNull(row)) {
                continue;
            }
            double value = values.get(row) + 0.0;
            checkFinite(column, value, row);
            if (value == value) {
                numbers[count++] = value;
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    /**
     * @throws TransformException if the value is infinite
     */
    static void checkFinite(FieldVector column, double value, int row) {
        if (Double.isInfinite(value)) {
            throw new TransformException(
                    String.format(
                            "the column \"%s\" is infinite in row %d of a row group, and a statistic"
                                    + " of it would not be finite: clip it first",
                            column.getName(), row));
        }
    }

    static TransformException none(String column, String statistic) {
        return new TransformException(
                "the column \""
                        + column
                        + "\" has no values but nulls and NaN, so it has no "
                        + statistic);
    }
}
