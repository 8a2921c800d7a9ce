package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import io.lockstep.footer.PhysicalType;
import java.io.IOException;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * Converts fixed-width values from Parquet's plain encoding to the form of an Arrow buffer.
 * Immutable.
 */
abstract class FixedForm {

    private static final int DECIMAL_WIDTH = 16;
    private static final int INT96_WIDTH = 12;

    private final int plainWidth;
    private final int width;

    private FixedForm(int plainWidth, int width) {
        this.plainWidth = plainWidth;
        this.width = width;
    }

    /** Returns the size of a value in the plain encoding, in bytes. */
    final int plainWidth() {
        return plainWidth;
    }

    /** Returns the size of a value in the Arrow buffer, in bytes. */
    final int width() {
        return width;
    }

    /** Converts consecutive values. Source and target must not overlap. */
    abstract void convert(long from, long to, int count) throws IOException;

    /** Returns the form of a column whose values are neither booleans nor of variable size. */
    static FixedForm of(FileColumn column) {
        PhysicalType physical = column.physical();
        ArrowType type = column.values().getType();
        boolean decimal = type instanceof ArrowType.Decimal;
        return switch (physical.type()) {
            case INT32 -> decimal ? new FromInt() : int32(type);
            case INT64 -> decimal ? new FromLong() : new Copy(Long.BYTES);
            case INT96 -> new FromInt96();
            case FLOAT -> new Copy(Float.BYTES);
            case DOUBLE -> new Copy(Double.BYTES);
            case FIXED_LEN_BYTE_ARRAY ->
                    decimal ? new FromBigEndian(physical.length()) : new Copy(physical.length());
            default -> throw new IllegalArgumentException("No fixed width: " + physical);
        };
    }

    private static FixedForm int32(ArrowType type) {
        int bits = type instanceof ArrowType.Int number ? number.getBitWidth() : Integer.SIZE;
        return bits == Integer.SIZE ? new Copy(Integer.BYTES) : new Narrow(bits / Byte.SIZE);
    }

    /** Writes a 128-bit Arrow decimal from big-endian two's complement bytes. */
    static void putDecimal(long from, int length, long to) throws IOException {
        long sign = length > 0 && MemoryUtil.getByte(from) < 0 ? -1 : 0;
        long low = sign;
        long high = sign;
        for (int i = 0; i < length; i++) {
            int next = MemoryUtil.getByte(from + i) & 0xff;
            if (i < length - DECIMAL_WIDTH) {
                if (next != (sign & 0xff)) {
                    throw new IOException("a decimal has more than 128 bits");
                }
                continue;
            }
            high = high << Byte.SIZE | low >>> Long.SIZE - Byte.SIZE;
            low = low << Byte.SIZE | next;
        }
        MemoryUtil.putLong(to, low);
        MemoryUtil.putLong(to + Long.BYTES, high);
    }

    /** Identical bytes in both. */
    private static final class Copy extends FixedForm {

        Copy(int width) {
            super(width, width);
        }

        @Override
        void convert(long from, long to, int count) {
            MemoryUtil.copyMemory(from, to, (long) count * width());
        }
    }

    /** The low-order bytes of an INT32. */
    private static final class Narrow extends FixedForm {

        Narrow(int width) {
            super(Integer.BYTES, width);
        }

        @Override
        void convert(long from, long to, int count) {
            for (int i = 0; i < count; i++) {
                int value = MemoryUtil.getInt(from + (long) i * Integer.BYTES);
                if (width() == 1) {
                    MemoryUtil.putByte(to + i, (byte) value);
                } else {
                    MemoryUtil.putShort(to + (long) i * Short.BYTES, (short) value);
                }
            }
        }
    }

    /** A decimal stored as INT32. */
    private static final class FromInt extends FixedForm {

        FromInt() {
            super(Integer.BYTES, DECIMAL_WIDTH);
        }

        @Override
        void convert(long from, long to, int count) {
            for (int i = 0; i < count; i++) {
                long value = MemoryUtil.getInt(from + (long) i * Integer.BYTES);
                MemoryUtil.putLong(to + (long) i * DECIMAL_WIDTH, value);
                MemoryUtil.putLong(to + (long) i * DECIMAL_WIDTH + Long.BYTES, value >> 63);
            }
        }
    }

    /** A decimal stored as INT64. */
    private static final class FromLong extends FixedForm {

        FromLong() {
            super(Long.BYTES, DECIMAL_WIDTH);
        }

        @Override
        void convert(long from, long to, int count) {
            for (int i = 0; i < count; i++) {
                long value = MemoryUtil.getLong(from + (long) i * Long.BYTES);
                MemoryUtil.putLong(to + (long) i * DECIMAL_WIDTH, value);
                MemoryUtil.putLong(to + (long) i * DECIMAL_WIDTH + Long.BYTES, value >> 63);
            }
        }
    }

    /** A decimal stored as bytes. */
    private static final class FromBigEndian extends FixedForm {

        FromBigEndian(int length) {
            super(length, DECIMAL_WIDTH);
        }

        @Override
        void convert(long from, long to, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                putDecimal(
                        from + (long) i * plainWidth(),
                        plainWidth(),
                        to + (long) i * DECIMAL_WIDTH);
            }
        }
    }

    /** A timestamp in nanoseconds, stored as the nanosecond of the day and the Julian day. */
    private static final class FromInt96 extends FixedForm {

        private static final long EPOCH_JULIAN_DAY = 2_440_588;
        private static final long NANOS_OF_DAY = 86_400_000_000_000L;

        FromInt96() {
            super(INT96_WIDTH, Long.BYTES);
        }

        @Override
        void convert(long from, long to, int count) throws IOException {
            for (int i = 0; i < count; i++) {
                long value = from + (long) i * INT96_WIDTH;
                long day = MemoryUtil.getInt(value + Long.BYTES) - EPOCH_JULIAN_DAY;
                long nanos = MemoryUtil.getLong(value);
                try {
                    long time = Math.addExact(Math.multiplyExact(day, NANOS_OF_DAY), nanos);
                    MemoryUtil.putLong(to + (long) i * Long.BYTES, time);
                } catch (ArithmeticException e) {
                    throw new IOException(
                            "an INT96 timestamp is not between the years 1678 and 2262", e);
                }
            }
        }
    }
}
