package io.lockstep.transform.column;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The values of a column of dates or timestamps as the local date and time: that of the type's time
 * zone if it has one.
 */
@FunctionalInterface
interface LocalTimes {

    /** Returns a value that is not null. */
    LocalDateTime get(int row);

    /**
     * Checks that a column has such values.
     *
     * @throws TransformException that names the column and its type
     */
    static void check(Field column) {
        if (column.getType() instanceof ArrowType.Timestamp type) {
            zone(column, type);
        } else if (!(column.getType() instanceof ArrowType.Date)) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", and this transform needs dates or timestamps");
        }
    }

    private static ZoneId zone(Field column, ArrowType.Timestamp type) {
        if (type.getTimezone() == null) {
            return ZoneOffset.UTC;
        }
        try {
            return ZoneId.of(type.getTimezone());
        } catch (DateTimeException e) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" has the time zone "
                            + type.getTimezone()
                            + ", which Java does not know",
                    e);
        }
    }

    /** Reads a vector, which must stay open and unchanged. */
    static LocalTimes of(FieldVector vector) {
        LongValues values = LongValues.of(vector);
        if (vector.getField().getType() instanceof ArrowType.Date date) {
            return date.getUnit() == DateUnit.DAY
                    ? row -> LocalDate.ofEpochDay(values.get(row)).atStartOfDay()
                    : row -> local(values.get(row), 1_000, ZoneOffset.UTC);
        }
        ArrowType.Timestamp type = (ArrowType.Timestamp) vector.getField().getType();
        ZoneId zone = zone(vector.getField(), type);
        long perSecond =
                switch (type.getUnit()) {
                    case SECOND -> 1;
                    case MILLISECOND -> 1_000;
                    case MICROSECOND -> 1_000_000;
                    case NANOSECOND -> 1_000_000_000;
                };
        return row -> local(values.get(row), perSecond, zone);
    }

    private static LocalDateTime local(long value, long perSecond, ZoneId zone) {
        long nanos = Math.floorMod(value, perSecond) * (1_000_000_000 / perSecond);
        return Instant.ofEpochSecond(Math.floorDiv(value, perSecond), nanos)
                .atZone(zone)
                .toLocalDateTime();
    }
}
