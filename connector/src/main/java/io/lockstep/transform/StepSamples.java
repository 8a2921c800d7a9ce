package io.lockstep.transform;

import io.lockstep.order.SampleStreams;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The samples of some lanes of a step: those of the first lane, then those of the next, equally
 * many of each.
 *
 * @param stream the name of the stream
 * @param seed of the order
 * @param epoch of the step
 * @param lanes the number of lanes
 * @param ids by row, the sample's id, an unsigned number; must not be written
 */
@PublicEvolving
@SuppressWarnings("ArrayRecordComponent")
public record StepSamples(String stream, long seed, long epoch, int lanes, long[] ids) {

    /** The number of rows of each lane. */
    public int rowsOfLane() {
        return ids.length / lanes;
    }

    /**
     * Creates the random streams of the samples under the name of a transform, at their first word.
     */
    public SampleStreams random(String transform) {
        return new SampleStreams(seed, stream + "/" + transform, epoch, ids);
    }
}
