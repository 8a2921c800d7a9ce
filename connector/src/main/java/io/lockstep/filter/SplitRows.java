package io.lockstep.filter;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.lockstep.UserException;
import io.lockstep.manifest.TypeNames;
import io.lockstep.order.RandomKey;
import io.lockstep.order.RandomStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Finds the rows of a part of a split: those for which the first word of a random stream is in the
 * part's range. The stream's counter is the sample id, or the XXH3-64 hash of a column's value.
 * Thread-safe.
 */
final class SplitRows {

    private static final Hasher64 XXH3 = Hashing.xxh3_64();

    private final RandomKey key;

    /** The part's range, or that of all parts. */
    private final BigInteger from;

    private final BigInteger to;

    /** Whether the words outside of the range are kept. */
    private final boolean rest;

    SplitRows(Split split) {
        this.key = RandomKey.derive(split.seed(), "split", 0, 0);
        List<String> parts = new ArrayList<>(split.shares().keySet());
        BigInteger[] ends = split.ends();
        int part = split.part() == null ? ends.length - 1 : parts.indexOf(split.part());
        this.rest = split.part() == null;
        this.from = rest || part == 0 ? BigInteger.ZERO : ends[part - 1];
        this.to = ends[part];
    }

    /**
     * Checks that rows can be split by a column.
     *
     * @throws UserException if its type has no bytes of a single value
     */
    static void check(Field column) {
        boolean accepted =
                switch (column.getType().getTypeID()) {
                    case Int,
                            FloatingPoint,
                            Decimal,
                            Date,
                            Time,
                            Timestamp,
                            Duration,
                            FixedSizeBinary,
                            Utf8,
                            Binary ->
                            true;
                    default -> false;
                };
        if (!accepted) {
            throw new UserException(
                    "the split cannot be by the column \""
                            + column.getName()
                            + "\" of type "
                            + TypeNames.of(column)
                            + ": choose a column of numbers, times, strings or bytes");
        }
    }

    /** Whether a sample is kept. */
    boolean keeps(long counter) {
        long word = new RandomStream(key, 0, 0, counter, 0).next();
        boolean inside = isBelow(word, to) && !isBelow(word, from);
        return inside != rest;
    }

    private static boolean isBelow(long word, BigInteger end) {
        return end.bitLength() > Long.SIZE || Long.compareUnsigned(word, end.longValue()) < 0;
    }

    /** The counter of a column's value; a null has no bytes. */
    @FunctionalInterface
    interface Hash {
        long of(int row);
    }

    /** Reads a vector, which must stay open and unchanged. Not thread-safe. */
    static Hash hash(FieldVector vector) {
        if (vector instanceof BaseVariableWidthVector texts) {
            byte[] nothing = {};
            return row -> XXH3.hashBytesToLong(texts.isNull(row) ? nothing : texts.get(row));
        }
        byte[] value = new byte[((BaseFixedWidthVector) vector).getTypeWidth()];
        long data = vector.getDataBufferAddress();
        return row -> {
            if (vector.isNull(row)) {
                return XXH3.hashBytesToLong(value, 0, 0);
            }
            MemoryUtil.copyFromMemory(data + (long) row * value.length, value, 0, value.length);
            return XXH3.hashBytesToLong(value);
        };
    }
}
