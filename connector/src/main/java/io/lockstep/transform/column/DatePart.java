package io.lockstep.transform.column;

import java.time.LocalDateTime;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** The parts of a date or timestamp, numbered as pandas does. */
enum DatePart {
    YEAR(LocalDateTime::getYear),
    QUARTER(time -> time.get(IsoFields.QUARTER_OF_YEAR)),
    MONTH(LocalDateTime::getMonthValue),
    DAY(LocalDateTime::getDayOfMonth),
    DAY_OF_YEAR(LocalDateTime::getDayOfYear),
    /** Monday is 0. */
    WEEKDAY(time -> time.getDayOfWeek().getValue() - 1),
    HOUR(LocalDateTime::getHour),
    MINUTE(LocalDateTime::getMinute),
    SECOND(LocalDateTime::getSecond);

    private final ToIntFunction<LocalDateTime> part;

    DatePart(ToIntFunction<LocalDateTime> part) {
        this.part = part;
    }

    int of(LocalDateTime time) {
        return part.applyAsInt(time);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
