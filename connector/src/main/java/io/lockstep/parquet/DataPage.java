package io.lockstep.parquet;

import javax.annotation.Nullable;
import org.apache.parquet.column.Encoding;

/**
 * A data page, decompressed. Valid until the next page of the chunk is read.
 *
 * @param count the number of levels: values, nulls and empty lists
 * @param repetition the repetition levels, null where there are none
 * @param definition the definition levels, null where there are none
 * @param encoding of the values
 * @param values the encoded values
 */
record DataPage(
        int count,
        @Nullable HybridReader repetition,
        @Nullable HybridReader definition,
        Encoding encoding,
        Region values) {}
