package io.lockstep.handoff.held;

import io.lockstep.dataset.EpochTable;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a rank wants of its lanes of one stream: a step now, and those after it ahead of use.
 *
 * @param lanes not empty, all of one stream, ascending
 * @param table of the stream
 * @param position of the step, counted on from epoch to epoch
 * @param upTo the position after the last that is wanted
 */
public record StepRequest(
        long generation,
        int rank,
        List<LaneSplit> lanes,
        EpochTable table,
        long position,
        long upTo) {

    public Want want(LaneSplit lane) {
        return new Want(lane, generation, position, upTo);
    }

    public long epoch() {
        return table.at(position).epoch();
    }

    public long step() {
        return table.at(position).step(position);
    }

    public String stream() {
        return lanes.get(0).stream();
    }

    /** For messages. */
    public static String words(List<LaneSplit> lanes, long epoch, long step) {
        return String.format(
                "%s %s of the stream '%s', epoch %d, step %d",
                lanes.size() == 1 ? "lane" : "lanes",
                lanes.stream()
                        .map(lane -> Integer.toString(lane.lane()))
                        .collect(Collectors.joining(", ")),
                lanes.get(0).stream(),
                epoch,
                step);
    }
}
