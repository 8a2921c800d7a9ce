package io.lockstep.expression;

import java.math.BigDecimal;
import javax.annotation.Nullable;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Reads the values of a column. */
final class ColumnReader {

    private static final long MILLIS_PER_DAY = 86_400_000;

    private final FieldVector vector;
    private final boolean hasNulls;

    private ColumnReader(FieldVector vector) {
        this.vector = vector;
        this.hasNulls = vector.getNullCount() > 0;
    }

    /** Reads a vector, which must stay open and unchanged. */
    static ColumnReader of(FieldVector vector) {
        return new ColumnReader(vector);
    }

    /** Reads rows from one on. */
    Values read(int from, int size) {
        boolean[] nulls = hasNulls ? nulls(from, size) : null;
        ArrowType type = vector.getField().getType();
        Type kind = Type.of(type);
        return switch (kind.kind()) {
            case BOOLEAN ->
                    Values.ofBooleans(bits(vector.getDataBufferAddress(), from, size), nulls);
            case INTEGER, UNSIGNED, TIMESTAMP -> Values.ofLongs(longs(type, from, size), nulls);
            case DATE -> Values.ofLongs(days((ArrowType.Date) type, from, size), nulls);
            case FLOAT, DOUBLE -> Values.ofDoubles(doubles(type, from, size), nulls);
            case STRING -> strings(from, size, nulls);
            case NULL, OTHER -> new Values(nulls, null, null, null, null);
        };
    }

    @Nullable
    private boolean[] nulls(int from, int size) {
        // Some vectors, such as those of nulls only, have no bitmap.
        if (vector.getFieldBuffers().isEmpty()) {
            boolean[] nulls = new boolean[size];
            for (int i = 0; i < size; i++) {
                nulls[i] = vector.isNull(from + i);
            }
            return nulls;
        }
        boolean[] nulls = bits(vector.getValidityBufferAddress(), from, size);
        for (int i = 0; i < size; i++) {
            nulls[i] = !nulls[i];
        }
        return nulls;
    }

    private static boolean[] bits(long address, int from, int size) {
        boolean[] bits = new boolean[size];
        for (int i = 0; i < size; i++) {
            int row = from + i;
            bits[i] = (MemoryUtil.getByte(address + row / Byte.SIZE) >> (row % Byte.SIZE) & 1) != 0;
        }
        return bits;
    }

    private long[] longs(ArrowType type, int from, int size) {
        long[] longs = new long[size];
        int width = ((BaseFixedWidthVector) vector).getTypeWidth();
        long at = vector.getDataBufferAddress() + (long) from * width;
        boolean signed = !(type instanceof ArrowType.Int integer) || integer.getIsSigned();
        switch (width) {
            case Byte.BYTES -> {
                int mask = signed ? -1 : 0xFF;
                for (int i = 0; i < size; i++) {
                    longs[i] = MemoryUtil.getByte(at + i) & mask;
                }
            }
            case Short.BYTES -> {
                int mask = signed ? -1 : 0xFFFF;
                for (int i = 0; i < size; i++) {
                    longs[i] = MemoryUtil.getShort(at + (long) i * Short.BYTES) & mask;
                }
            }
            case Integer.BYTES -> {
                long mask = signed ? -1 : 0xFFFF_FFFFL;
                for (int i = 0; i < size; i++) {
                    longs[i] = MemoryUtil.getInt(at + (long) i * Integer.BYTES) & mask;
                }
            }
            default -> {
                for (int i = 0; i < size; i++) {
                    longs[i] = MemoryUtil.getLong(at + (long) i * Long.BYTES);
                }
            }
        }
        return longs;
    }

    private long[] days(ArrowType.Date type, int from, int size) {
        long[] days = longs(type, from, size);
        if (type.getUnit() == DateUnit.MILLISECOND) {
            for (int i = 0; i < size; i++) {
                days[i] = Math.floorDiv(days[i], MILLIS_PER_DAY);
            }
        }
        return days;
    }

    private double[] doubles(ArrowType type, int from, int size) {
        double[] doubles = new double[size];
        if (vector instanceof DecimalVector decimals) {
            for (int i = 0; i < size; i++) {
                BigDecimal value = decimals.getObject(from + i);
                doubles[i] = value == null ? 0 : value.doubleValue();
            }
            return doubles;
        }
        FloatingPointPrecision precision = ((ArrowType.FloatingPoint) type).getPrecision();
        long data = vector.getDataBufferAddress();
        switch (precision) {
            case HALF -> {
                long at = data + (long) from * Short.BYTES;
                for (int i = 0; i < size; i++) {
                    doubles[i] = Float16.toFloat(MemoryUtil.getShort(at + (long) i * Short.BYTES));
                }
            }
            case SINGLE -> {
                long at = data + (long) from * Float.BYTES;
                for (int i = 0; i < size; i++) {
                    doubles[i] =
                            Float.intBitsToFloat(MemoryUtil.getInt(at + (long) i * Float.BYTES));
                }
            }
            default -> {
                long at = data + (long) from * Double.BYTES;
                for (int i = 0; i < size; i++) {
                    doubles[i] =
                            Double.longBitsToDouble(
                                    MemoryUtil.getLong(at + (long) i * Double.BYTES));
                }
            }
        }
        return doubles;
    }

    private Values strings(int from, int size, @Nullable boolean[] nulls) {
        long[] addresses = new long[size];
        int[] lengths = new int[size];
        long data = vector.getDataBufferAddress();
        long at = vector.getOffsetBufferAddress() + (long) from * Integer.BYTES;
        int begin = size == 0 ? 0 : MemoryUtil.getInt(at);
        for (int i = 0; i < size; i++) {
            int end = MemoryUtil.getInt(at + (i + 1L) * Integer.BYTES);
            addresses[i] = data + begin;
            lengths[i] = end - begin;
            begin = end;
        }
        return Values.ofStrings(addresses, lengths, nulls);
    }
}
