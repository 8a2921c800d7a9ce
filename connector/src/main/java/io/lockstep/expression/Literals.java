package io.lockstep.expression;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import org.apache.arrow.vector.types.TimeUnit;

/** Reads numbers, dates and timestamps. */
final class Literals {

    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    /** The number of digits of 2^64. */
    private static final int MAX_DIGITS = 20;

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder()
                    .append(DateTimeFormatter.ISO_LOCAL_DATE)
                    .appendPattern("[ ]['T']")
                    .append(DateTimeFormatter.ISO_LOCAL_TIME)
                    .optionalStart()
                    .appendOffset("+HH:MM", "Z")
                    .optionalEnd()
                    .toFormatter()
                    .withResolverStyle(ResolverStyle.STRICT);

    private Literals() {}

    /**
     * Reads a number: an integer if it has neither a point nor an exponent.
     *
     * @param text digits, with a minus sign if it is negative
     */
    static Syntax.Literal number(int at, String text) {
        if (text.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E')) {
            double value = Double.parseDouble(text);
            if (Double.isInfinite(value)) {
                throw new Problem(at, "the number is beyond the range of float64");
            }
            return new Syntax.Literal(at, Constant.of(Type.DOUBLE, text, value));
        }
        String digits = text.replaceFirst("^(-?)0+(?=\\d)", "$1");
        BigInteger value =
                digits.length() > MAX_DIGITS + 1 ? MOST.shiftLeft(2) : new BigInteger(digits);
        if (value.compareTo(LEAST) < 0 || value.bitLength() > Long.SIZE) {
            throw new Problem(
                    at,
                    "the number is beyond the range of int64 and uint64; write it with a point for"
                            + " a float64");
        }
        Type type = value.compareTo(MOST) > 0 ? Type.UNSIGNED : Type.INTEGER;
        return new Syntax.Literal(at, Constant.of(type, digits, value.longValue()));
    }

    /** Reads a date such as {@code 2024-12-31}. */
    static Syntax.Literal date(int at, String text) {
        try {
            long days = LocalDate.parse(text, DateTimeFormatter.ISO_LOCAL_DATE).toEpochDay();
            return new Syntax.Literal(at, Constant.of(Type.DATE, "'" + text + "'", days));
        } catch (DateTimeException e) {
            throw new Problem(at, "a date is written '2024-12-31'");
        }
    }

    /**
     * Reads a timestamp such as {@code 2024-12-31 23:59:59}, in the coarsest unit that holds it.
     * One without an offset is in UTC if it is compared with instants.
     */
    static Syntax.Literal timestamp(int at, String text) {
        try {
            Object parsed = TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            boolean zoned = parsed instanceof OffsetDateTime;
            Instant instant =
                    parsed instanceof OffsetDateTime time
                            ? time.toInstant()
                            : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC);
            TimeUnit unit = Times.unit(instant.getNano());
            long value =
                    Math.addExact(
                            Math.multiplyExact(instant.getEpochSecond(), Times.perSecond(unit)),
                            instant.getNano()
                                    / (Times.perSecond(TimeUnit.NANOSECOND)
                                            / Times.perSecond(unit)));
            return new Syntax.Literal(
                    at, Constant.of(Type.timestamp(unit, zoned), "'" + text + "'", value));
        } catch (DateTimeException e) {
            throw new Problem(
                    at,
                    "a timestamp is written '2024-12-31 23:59:59', with an optional fraction of the"
                            + " second and an optional offset such as +02:00 or Z");
        } catch (ArithmeticException e) {
            throw new Problem(at, "the timestamp is beyond the range of its unit");
        }
    }

    /** Reads a string that is compared with dates or timestamps. */
    static Constant time(int at, String text) {
        return text.length() <= "2024-12-31".length()
                ? date(at, text).value()
                : timestamp(at, text).value();
    }
}
