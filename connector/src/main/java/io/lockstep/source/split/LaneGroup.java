package io.lockstep.source.split;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;

/**
 * The lanes that one rank requests together. A step of the group is gathered, emitted and handed
 * over as a unit.
 *
 * @param generation of the trainers
 * @param rank within the generation
 * @param lanes not empty, ascending
 */
public record LaneGroup(long generation, int rank, String stream, List<Integer> lanes)
        implements Serializable {

    public LaneGroup {
        lanes = List.copyOf(lanes);
    }

    /** The lowest lane, under whose split the group's records are emitted. */
    public LaneSplit first() {
        return new LaneSplit(stream, lanes.get(0));
    }

    /** The lanes as splits, ascending. */
    public List<LaneSplit> splits() {
        return lanes.stream().map(lane -> new LaneSplit(stream, lane)).toList();
    }

    public boolean has(LaneSplit split) {
        return stream.equals(split.stream()) && lanes.contains(split.lane());
    }

    /** Whether the two groups share a lane. */
    public boolean overlaps(LaneGroup other) {
        return stream.equals(other.stream) && !Collections.disjoint(lanes, other.lanes);
    }

    /** A description for messages. */
    @Override
    public String toString() {
        return LaneSplit.describe(splits());
    }
}
