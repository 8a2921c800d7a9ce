package io.lockstep.cli.stats;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.util.TreeSet;

/**
 * Estimates the number of distinct values from the smallest of their hashes: exact for fewer than
 * 2,048, and with a standard error of about 2 % beyond (Bar-Yossef et al., Counting Distinct
 * Elements in a Data Stream, 2002). Not thread-safe.
 */
final class DistinctEstimate {

    private static final int KEPT = 2048;

    private static final Hasher64 XXH3 = Hashing.xxh3_64();

    /** The smallest hashes, as unsigned. */
    private final TreeSet<Long> smallest = new TreeSet<>(Long::compareUnsigned);

    void add(Object value) {
        addHash(hash(value));
    }

    private static long hash(Object value) {
        if (value instanceof Long number) {
            return XXH3.hashLongToLong(number);
        }
        if (value instanceof Double number) {
            return XXH3.hashLongToLong(Double.doubleToLongBits(number + 0.0));
        }
        return XXH3.hashCharsToLong(value.toString());
    }

    private void addHash(long hash) {
        if (smallest.size() < KEPT) {
            smallest.add(hash);
        } else if (Long.compareUnsigned(hash, smallest.last()) < 0 && smallest.add(hash)) {
            smallest.pollLast();
        }
    }

    void add(DistinctEstimate other) {
        other.smallest.forEach(this::addHash);
    }

    boolean isExact() {
        return smallest.size() < KEPT;
    }

    long count() {
        if (isExact()) {
            return smallest.size();
        }
        // The largest of k uniform fractions is about k / (n + 1).
        double fraction = (smallest.last() >>> 1) / 0x1p63;
        return Math.round((KEPT - 1) / fraction);
    }
}
