package io.lockstep.cli.rows;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** Converts vector values to plain Java values for JSON. */
public final class Cells {

    private static final long SECOND_NANOS = 1_000_000_000L;

    private Cells() {}

    /**
     * The value of a row: null, a Boolean, a Number, a String or a List of these. Bytes become
     * base64, dates and times ISO 8601, and decimals text with all their digits.
     */
    public static Object value(FieldVector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        if (vector instanceof BitVector bits) {
            return bits.get(row) == 1;
        }
        if (vector instanceof UInt8Vector unsigned) {
            return unsigned.getObjectNoOverflow(row);
        }
        if (vector instanceof BigIntVector integers) {
            return integers.get(row);
        }
        if (vector instanceof BaseIntVector integers) {
            return integers.getValueAsLong(row);
        }
        Object number = floating(vector, row);
        if (number != null) {
            return number;
        }
        Object text = text(vector, row);
        return text != null ? text : list(vector, row);
    }

    private static Object floating(FieldVector vector, int row) {
        if (vector instanceof Float4Vector floats) {
            return floats.get(row);
        }
        if (vector instanceof Float8Vector doubles) {
            return doubles.get(row);
        }
        if (vector instanceof Float2Vector halves) {
            return halves.getValueAsFloat(row);
        }
        return null;
    }

    private static String text(FieldVector vector, int row) {
        if (vector instanceof VarCharVector strings) {
            return strings.getObject(row).toString();
        }
        if (vector instanceof VarBinaryVector binaries) {
            return Base64.getEncoder().encodeToString(binaries.get(row));
        }
        if (vector instanceof FixedSizeBinaryVector binaries) {
            return Base64.getEncoder().encodeToString(binaries.get(row));
        }
        if (vector instanceof DecimalVector decimals) {
            BigDecimal decimal = decimals.getObject(row);
            return decimal.toPlainString();
        }
        if (vector instanceof DurationVector durations) {
            return durations.getObject(row).toString();
        }
        return dateOrTime(vector, row);
    }

    private static String dateOrTime(FieldVector vector, int row) {
        if (vector instanceof DateDayVector days) {
            return LocalDate.ofEpochDay(days.get(row)).toString();
        }
        if (vector instanceof TimeMilliVector times) {
            return time(times.get(row) * 1_000_000L);
        }
        if (vector instanceof TimeMicroVector times) {
            return time(times.get(row) * 1_000L);
        }
        if (vector instanceof TimeNanoVector times) {
            return time(times.get(row));
        }
        if (vector instanceof TimeStampVector times) {
            return timestamp((ArrowType.Timestamp) vector.getField().getType(), times.get(row));
        }
        return null;
    }

    /** Includes the seconds even if they are 0; Java omits them. */
    private static String time(long nanoOfDay) {
        String text = LocalTime.ofNanoOfDay(nanoOfDay).toString();
        return text.length() == "00:00".length() ? text + ":00" : text;
    }

    private static String timestamp(ArrowType.Timestamp type, long value) {
        long unit = perSecond(type.getUnit());
        Instant instant =
                Instant.ofEpochSecond(
                        Math.floorDiv(value, unit),
                        Math.floorMod(value, unit) * (SECOND_NANOS / unit));
        String text = instant.toString();
        // Without a zone it is local time, wherever that was.
        return type.getTimezone() == null ? text.substring(0, text.length() - 1) : text;
    }

    private static long perSecond(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> 1L;
            case MILLISECOND -> 1_000L;
            case MICROSECOND -> 1_000_000L;
            case NANOSECOND -> SECOND_NANOS;
        };
    }

    private static Object list(FieldVector vector, int row) {
        if (vector instanceof ListVector lists) {
            return elements(
                    lists.getDataVector(),
                    lists.getElementStartIndex(row),
                    lists.getElementEndIndex(row));
        }
        if (vector instanceof FixedSizeListVector lists) {
            return elements(
                    lists.getDataVector(),
                    lists.getElementStartIndex(row),
                    lists.getElementEndIndex(row));
        }
        return String.valueOf(vector.getObject(row));
    }

    private static List<Object> elements(FieldVector values, int begin, int end) {
        List<Object> list = new ArrayList<>(end - begin);
        for (int i = begin; i < end; i++) {
            list.add(value(values, i));
        }
        return list;
    }
}
