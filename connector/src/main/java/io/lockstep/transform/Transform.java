package io.lockstep.transform;

import java.io.Serializable;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.PublicEvolving;

/**
 * What all transforms have in common: a {@link RowGroupTransform} runs once for each row group, a
 * {@link BatchTransform} for each step. An {@link UnfittedTransform} becomes the former.
 *
 * <p>Implementations are immutable and thread-safe: row groups and steps are transformed
 * concurrently.
 */
@PublicEvolving
public sealed interface Transform extends Serializable
        permits RowGroupTransform, BatchTransform, UnfittedTransform {

    /**
     * A single line with everything that affects the result: kind, version, parameters and fitted
     * statistics. It is part of the digest in saved states, and of the cache's key where the
     * transform runs before the cache, so a transform with another result needs another
     * description.
     */
    String description();

    /**
     * Returns the columns of the result. Called when a run is planned, without rows.
     *
     * @throws TransformException if the transform cannot be applied to these columns; the message
     *     names the column
     */
    Schema schema(Schema columns);

    /**
     * Returns the columns that it reads or replaces, if it leaves all others as they are, and adds,
     * removes and renames none. Empty if that is not known.
     *
     * @throws TransformException if there is no such column
     */
    default Optional<Set<String>> touched(Schema columns) {
        return Optional.empty();
    }

    /**
     * Returns how to estimate the memory of the result. Called once for all row groups. The default
     * adds what the fixed-width columns of the result take beyond those of the input.
     *
     * @param columns of the input
     */
    default SizeEstimate size(Schema columns) {
        return RowWidth.difference(columns, schema(columns));
    }
}
