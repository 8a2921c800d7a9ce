package io.lockstep.filter;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.regex.Pattern;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The share of a part of a split, as an exact fraction in lowest terms.
 *
 * @param numerator at least 1
 * @param denominator at least the numerator
 */
@PublicEvolving
public record Share(BigInteger numerator, BigInteger denominator) implements Serializable {

    private static final Pattern PERCENT = Pattern.compile("\\d{1,3}(\\.\\d{1,15})?%");
    private static final Pattern DECIMAL = Pattern.compile("[01]?\\.\\d{1,18}|1");
    private static final Pattern FRACTION = Pattern.compile("\\d{1,18}/\\d{1,18}");

    /**
     * @throws IllegalArgumentException unless the share is above 0 and at most 1
     */
    public Share {
        if (numerator.signum() <= 0 || numerator.compareTo(denominator) > 0) {
            throw new IllegalArgumentException(numerator + "/" + denominator);
        }
        BigInteger common = numerator.gcd(denominator);
        numerator = numerator.divide(common);
        denominator = denominator.divide(common);
    }

    /**
     * Reads {@code 10%}, {@code 0.1} or {@code 1/10}.
     *
     * @throws IllegalArgumentException if it is no share
     */
    public static Share parse(String text) {
        if (FRACTION.matcher(text).matches()) {
            int slash = text.indexOf('/');
            return new Share(
                    new BigInteger(text.substring(0, slash)),
                    new BigInteger(text.substring(slash + 1)));
        }
        if (PERCENT.matcher(text).matches()) {
            return of(new BigDecimal(text.substring(0, text.length() - 1)).movePointLeft(2));
        }
        if (DECIMAL.matcher(text).matches()) {
            return of(new BigDecimal(text));
        }
        throw new IllegalArgumentException(text);
    }

    private static Share of(BigDecimal value) {
        return new Share(value.unscaledValue(), BigInteger.TEN.pow(value.scale()));
    }

    @Override
    public String toString() {
        return numerator + "/" + denominator;
    }
}
