package io.lockstep.source.split;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * One lane of one stream: all that a split is.
 *
 * <p>No position travels in it. The trainers own the position and ask by absolute step, so a lane
 * can be dealt to any reader at any time and still give the same steps.
 */
public record LaneSplit(String stream, int lane) implements SourceSplit, Comparable<LaneSplit> {

    @Override
    public String splitId() {
        return stream + "/" + lane;
    }

    @Override
    public int compareTo(LaneSplit other) {
        int byStream = stream.compareTo(other.stream);
        return byStream != 0 ? byStream : Integer.compare(lane, other.lane);
    }
}
