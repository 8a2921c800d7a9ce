package io.lockstep.transform;

import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Map;
import org.apache.flink.annotation.Internal;

/** The value of a {@link Statistic}. Immutable and thread-safe. */
@Internal
public interface StatisticValue extends Serializable {

    /** A short line that differs for values that differ in any bit. */
    String identity();

    /** Some figures of the value for people, in order: numbers and texts by name. */
    Map<String, Object> figures();

    /** Writes the value without its type. */
    void write(DataOutput out) throws IOException;
}
