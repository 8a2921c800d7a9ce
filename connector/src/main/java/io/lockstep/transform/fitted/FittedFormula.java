package io.lockstep.transform.fitted;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import java.io.Serializable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * What a transform makes of a column with a statistic of it. Immutable and thread-safe.
 *
 * @param <V> the value of the statistic
 */
interface FittedFormula<V extends StatisticValue> extends Serializable {

    /**
     * The statistic of a column.
     *
     * @throws io.lockstep.transform.TransformException if the column's type has none
     */
    Statistic statistic(Field column);

    /**
     * The column that replaces another, whatever the statistic.
     *
     * @throws io.lockstep.transform.TransformException if the column's type is not accepted
     */
    Field replacement(Field column);

    /**
     * Transforms the values of a column.
     *
     * @param values which the caller closes
     * @return which the caller closes
     */
    FieldVector replace(FieldVector values, Field replacement, V fitted, BufferAllocator allocator);
}
