package io.lockstep.cli.stats;

import java.util.Map;
import javax.annotation.Nullable;

/**
 * What the values of a column are like.
 *
 * @param rows all, with nulls
 * @param nans values that are NaN; they count in no other figure but {@code rows}
 * @param min the least value; null if there is none, or values of this type have no order
 * @param distinct the number of different values; null if values of this type are not compared
 * @param exact whether this number is no estimate
 * @param counts the rows with each value, the most frequent first; null if there are too many
 */
public record ColumnSummary(
        String name,
        String type,
        long rows,
        long nulls,
        long nans,
        @Nullable Object min,
        @Nullable Object max,
        @Nullable Long distinct,
        boolean exact,
        @Nullable Map<Object, Long> counts) {}
