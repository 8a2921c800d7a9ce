package io.lockstep.parquet;

import javax.annotation.Nullable;
import org.apache.parquet.column.Encoding;

/**
 * A decompressed data page. Valid until the next page of the chunk is read.
 *
 * @param count the number of levels: values, nulls and empty lists
 * @param repetition the repetition levels; null if the page has none
 * @param definition the definition levels; null if the page has none
 * @param encoding the encoding of the values
 * @param values the encoded values
 */
record DataPage(
        int count,
        @Nullable HybridReader repetition,
        @Nullable HybridReader definition,
        Encoding encoding,
        Region values) {}
