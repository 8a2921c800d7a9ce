package io.lockstep.transform;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.annotation.Internal;

/**
 * The statistics of the transforms of a stream.
 *
 * @param byTransform the values by column, by the name of the transform
 */
@Internal
public record FittedValues(Map<String, Map<String, StatisticValue>> byTransform)
        implements Serializable {

    /** Those of a stream without transforms that need any. */
    public static final FittedValues NONE = new FittedValues(Map.of());

    public FittedValues {
        byTransform = new LinkedHashMap<>(byTransform);
    }

    /** Returns these values and others. */
    public FittedValues and(Map<String, Map<String, StatisticValue>> others) {
        FittedValues all = new FittedValues(byTransform);
        all.byTransform.putAll(others);
        return all;
    }
}
