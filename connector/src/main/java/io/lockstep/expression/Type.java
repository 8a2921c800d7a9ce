package io.lockstep.expression;

import javax.annotation.Nullable;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The type of a value while it is computed.
 *
 * @param unit of timestamps, else null
 * @param zoned whether timestamps have a time zone
 */
record Type(Kind kind, @Nullable TimeUnit unit, boolean zoned) {

    static final Type BOOLEAN = new Type(Kind.BOOLEAN);
    static final Type INTEGER = new Type(Kind.INTEGER);
    static final Type UNSIGNED = new Type(Kind.UNSIGNED);
    static final Type FLOAT = new Type(Kind.FLOAT);
    static final Type DOUBLE = new Type(Kind.DOUBLE);
    static final Type STRING = new Type(Kind.STRING);
    static final Type DATE = new Type(Kind.DATE);
    static final Type NULL = new Type(Kind.NULL);
    static final Type OTHER = new Type(Kind.OTHER);

    /** What values can be used for, and how they are held. */
    enum Kind {
        BOOLEAN,
        /** Signed integers of 64 bits, and unsigned ones of fewer. */
        INTEGER,
        /** Unsigned integers of 64 bits. */
        UNSIGNED,
        /** Held as doubles that are exact float32 values. */
        FLOAT,
        DOUBLE,
        STRING,
        /** Days since 1970. */
        DATE,
        /** A number of units since 1970. */
        TIMESTAMP,
        /** The type of the literal null. */
        NULL,
        /** A type that can only be tested for nulls. */
        OTHER
    }

    private Type(Kind kind) {
        this(kind, null, false);
    }

    static Type timestamp(TimeUnit unit, boolean zoned) {
        return new Type(Kind.TIMESTAMP, unit, zoned);
    }

    /** Returns the type of a column's values. */
    static Type of(ArrowType type) {
        return switch (type.getTypeID()) {
            case Bool -> BOOLEAN;
            case Int -> {
                ArrowType.Int integer = (ArrowType.Int) type;
                yield integer.getIsSigned() || integer.getBitWidth() < Long.SIZE
                        ? INTEGER
                        : UNSIGNED;
            }
            case FloatingPoint ->
                    ((ArrowType.FloatingPoint) type).getPrecision() == FloatingPointPrecision.DOUBLE
                            ? DOUBLE
                            : FLOAT;
            case Decimal -> ((ArrowType.Decimal) type).getBitWidth() == 128 ? DOUBLE : OTHER;
            case Utf8 -> STRING;
            case Date -> DATE;
            case Timestamp -> {
                ArrowType.Timestamp timestamp = (ArrowType.Timestamp) type;
                yield timestamp(timestamp.getUnit(), timestamp.getTimezone() != null);
            }
            default -> OTHER;
        };
    }

    boolean is(Kind other) {
        return kind == other;
    }

    boolean isNumber() {
        return isInteger() || isFloating();
    }

    boolean isInteger() {
        return kind == Kind.INTEGER || kind == Kind.UNSIGNED;
    }

    boolean isFloating() {
        return kind == Kind.FLOAT || kind == Kind.DOUBLE;
    }

    boolean isTime() {
        return kind == Kind.DATE || kind == Kind.TIMESTAMP;
    }

    /**
     * The type of a column with such values.
     *
     * @throws IllegalStateException if there is none
     */
    ArrowType arrow() {
        return switch (kind) {
            case BOOLEAN -> new ArrowType.Bool();
            case INTEGER -> new ArrowType.Int(Long.SIZE, true);
            case UNSIGNED -> new ArrowType.Int(Long.SIZE, false);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case STRING -> new ArrowType.Utf8();
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIMESTAMP -> new ArrowType.Timestamp(unit, zoned ? "UTC" : null);
            case NULL, OTHER -> throw new IllegalStateException(toString());
        };
    }

    /** The type as messages name it. */
    @Override
    public String toString() {
        return switch (kind) {
            case BOOLEAN -> "bool";
            case INTEGER -> "int64";
            case UNSIGNED -> "uint64";
            case FLOAT -> "float32";
            case DOUBLE -> "float64";
            case STRING -> "string";
            case DATE -> "date";
            case TIMESTAMP -> zoned ? "timestamp with a time zone" : "timestamp";
            case NULL -> "null";
            case OTHER -> "another type";
        };
    }
}
