package io.lockstep.cli.runfile;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.annotation.Internal;

/** Durations and sizes as text, such as {@code 30s} and {@code 500GiB}. */
@Internal
public final class Quantities {

    private static final Pattern QUANTITY =
            Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([A-Za-z]+)", Pattern.UNICODE_CASE);

    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1000L, "min", 60_000L, "m", 60_000L, "h", 3_600_000L);

    private static final Map<String, Long> BYTES =
            Map.of(
                    "b", 1L,
                    "kib", 1L << 10,
                    "mib", 1L << 20,
                    "gib", 1L << 30,
                    "tib", 1L << 40,
                    "kb", 1_000L,
                    "mb", 1_000_000L,
                    "gb", 1_000_000_000L,
                    "tb", 1_000_000_000_000L);

    private static final String[] BINARY = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Quantities() {}

    /**
     * Parses a duration above 0 with the unit {@code ms}, {@code s}, {@code min} or {@code h}.
     *
     * @throws IllegalArgumentException if it is not one
     */
    static Duration duration(String text) {
        return Duration.ofMillis(parse(text, MILLIS));
    }

    /**
     * Parses a byte count above 0 with the unit {@code B}, {@code KiB} to {@code TiB}, or {@code
     * KB} to {@code TB}.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static long bytes(String text) {
        return parse(text, BYTES);
    }

    /** The shortest text that {@link #duration} parses to the same value. */
    static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "min";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    /** The shortest text that {@link #bytes} parses to the same value. */
    static String text(long bytes) {
        int unit = 0;
        while (unit < BINARY.length - 1 && bytes > 0 && bytes % 1024 == 0) {
            bytes /= 1024;
            unit++;
        }
        return bytes + BINARY[unit];
    }

    /** A readable size with three digits, such as {@code 1.23 GiB}. */
    public static String about(long bytes) {
        double value = bytes;
        int unit = 0;
        while (unit < BINARY.length - 1 && value >= 1024) {
            value /= 1024;
            unit++;
        }
        String format = unit == 0 || value >= 100 ? "%.0f %s" : value >= 10 ? "%.1f %s" : "%.2f %s";
        return String.format(Locale.ROOT, format, value, BINARY[unit]);
    }

    private static long parse(String text, Map<String, Long> units) {
        Matcher matcher = QUANTITY.matcher(text.trim());
        Long unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw new IllegalArgumentException(text);
        }
        long value;
        try {
            value =
                    new BigDecimal(matcher.group(1))
                            .multiply(BigDecimal.valueOf(unit))
                            .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(text, e);
        }
        if (value == 0) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }
}
