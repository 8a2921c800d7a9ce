package io.lockstep.source;

import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.MetricGroup;

/** The id of a Flink job, which its tasks and its coordinator find in their metric groups alone. */
@Internal
public final class JobId {

    private static final String VARIABLE = "<job_id>";

    private JobId() {}

    /** The id of the job that a metric group belongs to. */
    public static String of(MetricGroup group) {
        return group.getAllVariables().getOrDefault(VARIABLE, "job");
    }
}
