package io.lockstep.transform;

import java.io.Serializable;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.flink.annotation.Internal;

/** A statistic of the rows that come to a transform. Immutable and thread-safe. */
@Internal
public interface Statistic extends Serializable {

    /** The columns that it reads. */
    List<String> columns();

    /** Starts to compute it. */
    Computation<?> start();

    /**
     * Computes a statistic in one or several passes over all row groups. Each pass makes a partial
     * result of each row group, adds them in the order of the row groups, and ends. So the value
     * does not depend on the number of threads.
     *
     * @param <P> a partial result
     */
    interface Computation<P> {

        /**
         * Returns the partial result of a row group. Called by several threads at a time, but not
         * during {@link #endPass}.
         *
         * @param rows which the caller closes
         * @throws TransformException if a value cannot be used; the message names the column
         */
        P partial(VectorSchemaRoot rows);

        /** Adds the partial result of the next row group. */
        void add(P partial);

        /**
         * Ends the pass.
         *
         * @return whether the value is known; otherwise another pass is needed
         * @throws TransformException if the rows have no such value; the message names the column
         */
        boolean endPass();

        /** The value, after the last pass. */
        StatisticValue value();
    }
}
