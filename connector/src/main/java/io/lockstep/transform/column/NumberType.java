package io.lockstep.transform.column;

import java.util.Arrays;
import java.util.Locale;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The types of numbers that a transform can make. An unsigned 64-bit number is made from values up
 * to 2^63 - 1 only.
 */
public enum NumberType {
    BOOL(new ArrowType.Bool(), 0, 1),
    INT8(new ArrowType.Int(8, true), Byte.MIN_VALUE, Byte.MAX_VALUE),
    INT16(new ArrowType.Int(16, true), Short.MIN_VALUE, Short.MAX_VALUE),
    INT32(new ArrowType.Int(32, true), Integer.MIN_VALUE, Integer.MAX_VALUE),
    INT64(new ArrowType.Int(64, true), Long.MIN_VALUE, Long.MAX_VALUE),
    UINT8(new ArrowType.Int(8, false), 0, 0xFF),
    UINT16(new ArrowType.Int(16, false), 0, 0xFFFF),
    UINT32(new ArrowType.Int(32, false), 0, 0xFFFF_FFFFL),
    UINT64(new ArrowType.Int(64, false), 0, Long.MAX_VALUE),
    FLOAT16(new ArrowType.FloatingPoint(FloatingPointPrecision.HALF), 0, 0),
    FLOAT32(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE), 0, 0),
    FLOAT64(new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE), 0, 0);

    private final ArrowType arrow;
    private final long least;
    private final long most;

    NumberType(ArrowType arrow, long least, long most) {
        this.arrow = arrow;
        this.least = least;
        this.most = most;
    }

    /** The types whose values take whole bytes: all but bool. */
    static NumberType[] ofBytes() {
        return Arrays.stream(values()).filter(type -> type != BOOL).toArray(NumberType[]::new);
    }

    /**
     * Returns the number type of a column of numbers or booleans.
     *
     * @throws IllegalArgumentException if it is none
     */
    static NumberType of(ArrowType type) {
        return Arrays.stream(values())
                .filter(each -> each.arrow.equals(type))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(type.toString()));
    }

    public ArrowType arrow() {
        return arrow;
    }

    boolean isFloating() {
        return arrow instanceof ArrowType.FloatingPoint;
    }

    boolean holds(long value) {
        return isFloating() || (value >= least && value <= most);
    }

    /** Whether a number with a fraction, an infinity or NaN can be converted without loss. */
    boolean holds(double value) {
        // 2^63 is not a long, though it equals one after a cast.
        return isFloating() || (value == (long) value && value < 0x1p63 && holds((long) value));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
