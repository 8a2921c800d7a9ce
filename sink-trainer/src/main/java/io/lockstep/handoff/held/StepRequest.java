package io.lockstep.handoff.held;

import io.lockstep.dataset.EpochTable;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import java.util.stream.Collectors;

/**
 * A rank's request for its lanes of one stream: a step now, and those after it ahead of use.
 *
 * @param table of the stream
 * @param position of the step, counted across epochs
 * @param upTo the position after the last requested step
 */
public record StepRequest(LaneGroup group, EpochTable table, long position, long upTo) {

    public Want want() {
        return new Want(group, position, upTo);
    }

    public long epoch() {
        return table.at(position).epoch();
    }

    public long step() {
        return table.at(position).step(position);
    }

    /** For messages. */
    @Override
    public String toString() {
        return String.format(
                "%s %s of the stream '%s', epoch %d, step %d",
                group.lanes().size() == 1 ? "lane" : "lanes",
                group.lanes().stream().map(String::valueOf).collect(Collectors.joining(", ")),
                group.stream(),
                epoch(),
                step());
    }
}
