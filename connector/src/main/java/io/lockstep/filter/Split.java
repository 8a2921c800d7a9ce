package io.lockstep.filter;

import java.io.Serializable;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Divides the rows of a stream among it and the streams that take a part of it. Each row, or each
 * value of a column, is in exactly one part or in the rest, whatever else the dataset holds.
 *
 * @param of the name of the stream that is split
 * @param seed of that stream's order
 * @param shares of the parts by name, with a sum of at most 1, in the order of the names' UTF-8
 *     bytes
 * @param by the column whose equal values stay together; null to decide by sample id
 * @param part the name of the part that is kept; null for the rest
 */
@PublicEvolving
public record Split(
        String of, long seed, Map<String, Share> shares, @Nullable String by, @Nullable String part)
        implements Serializable {

    private static final BigInteger RANGE = BigInteger.ONE.shiftLeft(Long.SIZE);

    /**
     * @throws IllegalArgumentException if the shares have a sum above 1, or the part has no share
     */
    public Split {
        TreeMap<String, Share> sorted = new TreeMap<>(Split::compareUtf8);
        sorted.putAll(shares);
        // In the order of the sorted map, whose comparator cannot be sent.
        shares = Collections.unmodifiableMap(new LinkedHashMap<>(sorted));
        if (part != null && !shares.containsKey(part)) {
            throw new IllegalArgumentException("no part " + part + " in " + shares);
        }
        BigInteger[] sum = {BigInteger.ZERO, BigInteger.ONE};
        shares.values().forEach(share -> add(sum, share));
        if (sum[0].compareTo(sum[1]) > 0) {
            throw new IllegalArgumentException("the shares have a sum above 1: " + shares);
        }
    }

    private static int compareUtf8(String one, String other) {
        return Arrays.compareUnsigned(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static void add(BigInteger[] sum, Share share) {
        sum[0] = sum[0].multiply(share.denominator()).add(share.numerator().multiply(sum[1]));
        sum[1] = sum[1].multiply(share.denominator());
    }

    /** The same split for the stream that takes a part. */
    public Split part(String name) {
        return new Split(of, seed, shares, by, name);
    }

    /** The ends of the parts' ranges in [0, 2^64), in the order of the parts. */
    BigInteger[] ends() {
        BigInteger[] ends = new BigInteger[shares.size()];
        BigInteger[] sum = {BigInteger.ZERO, BigInteger.ONE};
        int i = 0;
        for (Share share : shares.values()) {
            add(sum, share);
            ends[i++] = RANGE.multiply(sum[0]).divide(sum[1]);
        }
        return ends;
    }

    /** What identifies the rows that are kept, in one line. */
    public String description() {
        String parts =
                shares.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining(" "));
        return "split seed="
                + Long.toUnsignedString(seed)
                + " "
                + parts
                + (part == null ? " rest" : " part=" + part)
                + (by == null ? "" : " by " + RowSelection.escaped(by));
    }
}
