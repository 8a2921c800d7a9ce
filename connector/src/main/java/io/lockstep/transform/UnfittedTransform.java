package io.lockstep.transform;

import java.util.Map;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.Internal;

/**
 * A transform that needs statistics of the rows that come to it. When a run is planned, they are
 * computed once over the rows of its stream, and the transform is replaced by the one that it
 * becomes.
 */
@Internal
public non-sealed interface UnfittedTransform extends Transform {

    /**
     * Returns the statistics that it needs, by the column that they are for.
     *
     * @throws TransformException if the transform cannot be applied to these columns
     */
    Map<String, Statistic> statistics(Schema columns);

    /**
     * Returns the transform with these statistics, with the same {@link #schema}.
     *
     * @param values of {@link #statistics}, by column
     */
    RowGroupTransform fitted(Map<String, StatisticValue> values);
}
