package io.lockstep.transform.column;

import io.lockstep.Printable;
import io.lockstep.transform.TransformException;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** A column whose values can be converted to numbers. */
final class Castable {

    /** Java itself accepts suffixes and hexadecimal numbers, too. */
    private static final Pattern FLOAT =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?|NaN|[+-]?Infinity");

    private final FieldVector values;

    Castable(FieldVector values) {
        this.values = values;
    }

    static boolean accepts(Field column) {
        return switch (column.getType().getTypeID()) {
            case Bool, Int, FloatingPoint, Decimal, Utf8, Date, Time, Timestamp, Duration -> true;
            default -> false;
        };
    }

    /**
     * Converts the values.
     *
     * @return which the caller closes
     * @throws TransformException if the type cannot hold one of them
     */
    FieldVector to(Field field, NumberType type, BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(field, values.getValueCount(), allocator);
        try {
            Vectors.copyNulls(values, made);
            Source source = source(type);
            Target target = target(made, type);
            for (int row = 0; row < values.getValueCount(); row++) {
                if (!values.isNull(row) && !source.copy(row, target)) {
                    throw new TransformException(
                            String.format(
                                    "the column \"%s\" has %s in row %d of a row group, which %s cannot"
                                            + " hold",
                                    field.getName(),
                                    Printable.of(String.valueOf(values.getObject(row))),
                                    row,
                                    type));
                }
            }
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    /** Where values come from. */
    @FunctionalInterface
    private interface Source {
        /** Returns false if the value does not fit. */
        boolean copy(int row, Target target);
    }

    private Source source(NumberType type) {
        if (values instanceof DecimalVector decimals) {
            return (row, target) -> exact(decimals.getObject(row), type, row, target);
        }
        if (values instanceof VarCharVector texts) {
            return (row, target) -> parsed(texts.getObject(row).toString(), type, row, target);
        }
        if (values.getField().getType() instanceof ArrowType.FloatingPoint) {
            DoubleValues doubles = DoubleValues.of(values);
            return (row, target) -> put(doubles.get(row), type, row, target);
        }
        if (values instanceof BitVector bits) {
            return (row, target) -> put((long) bits.get(row), type, row, target);
        }
        LongValues longs = LongValues.of(values);
        if (LongValues.isUnsigned64(values.getField())) {
            return (row, target) -> unsigned(longs.get(row), type, row, target);
        }
        return (row, target) -> put(longs.get(row), type, row, target);
    }

    private static boolean put(long value, NumberType type, int row, Target target) {
        target.put(row, value);
        return type.holds(value);
    }

    private static boolean put(double value, NumberType type, int row, Target target) {
        target.put(row, value);
        return type.holds(value);
    }

    private static boolean unsigned(long value, NumberType type, int row, Target target) {
        if (value >= 0 || type == NumberType.UINT64) {
            target.put(row, value);
            return value < 0 || type.holds(value);
        }
        target.put(row, LongValues.unsignedToDouble(value));
        return type.isFloating();
    }

    private static boolean exact(BigDecimal value, NumberType type, int row, Target target) {
        if (type.isFloating()) {
            target.put(row, value.doubleValue());
            return true;
        }
        try {
            return put(value.longValueExact(), type, row, target);
        } catch (ArithmeticException e) {
            return false;
        }
    }

    private static boolean parsed(String text, NumberType type, int row, Target target) {
        if (type == NumberType.BOOL) {
            target.put(row, text.equals("true") ? 1L : 0L);
            return text.equals("true") || text.equals("false");
        }
        try {
            return type.isFloating()
                    ? FLOAT.matcher(text).matches()
                            && put(Double.parseDouble(text), type, row, target)
                    : put(Long.parseLong(text), type, row, target);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Where a converted value goes. */
    private interface Target {
        void put(int row, double value);

        void put(int row, long value);
    }

    private static Target target(FieldVector made, NumberType type) {
        if (made instanceof BitVector bits) {
            return new Target() {
                @Override
                public void put(int row, double value) {
                    bits.set(row, (int) value);
                }

                @Override
                public void put(int row, long value) {
                    bits.set(row, (int) value);
                }
            };
        }
        NumberWriter writer = NumberWriter.of(type);
        long data = made.getDataBufferAddress();
        return new Target() {
            @Override
            public void put(int row, double value) {
                writer.put(data + (long) row * writer.width(), value);
            }

            @Override
            public void put(int row, long value) {
                writer.put(data + (long) row * writer.width(), value);
            }
        };
    }
}
