package io.lockstep.handoff.state;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.source.feedback.Assignment;
import io.lockstep.source.feedback.RequestCheck;
import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.split.LaneSplit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A server's view of the run at one moment.
 *
 * @param generation of the trainers; 0 before the first
 * @param streams all streams by name; empty until they are known
 * @param lanes those that this server serves
 * @param done whether all trainers have finished
 */
public record RunState(
        long generation, Map<String, ServedStream> streams, Set<LaneSplit> lanes, boolean done) {

    static final RunState UNKNOWN = new RunState(0, Map.of(), Set.of(), false);

    public RunState withGeneration(long now) {
        return new RunState(now, streams, lanes, done);
    }

    public RunState withAssignment(Assignment assignment) {
        Map<String, ServedStream> byName =
                assignment.streams().stream()
                        .collect(
                                Collectors.toMap(
                                        stream -> stream.name(),
                                        ServedStream::new,
                                        (first, second) -> second,
                                        TreeMap::new));
        return new RunState(generation, byName, Set.copyOf(assignment.lanes()), done);
    }

    public RunState asDone() {
        return new RunState(generation, streams, lanes, true);
    }

    /** Whether enough is known to serve trainers of a generation. */
    public boolean knows(long ofGeneration) {
        return generation >= ofGeneration && !streams.isEmpty();
    }

    /** Rejects trainers of a fenced generation or of a run that is done. */
    public void checkServes(long ofGeneration) {
        if (ofGeneration < generation) {
            throw fenced(ofGeneration, generation);
        }
        checkNotDone();
    }

    public void checkNotDone() {
        if (done) {
            throw new HandoffException(
                    ErrorCode.DONE, "the run is done: every rank of its trainers has closed");
        }
    }

    public static HandoffException fenced(long old, long now) {
        return new HandoffException(
                ErrorCode.FENCED,
                String.format(
                        "generation %d of the trainers was replaced by generation %d: another launch has"
                                + " taken over, end this process",
                        old, now));
    }

    /** What trainers know of the streams. */
    public List<StreamInfo> infos() {
        return streams.values().stream().map(ServedStream::info).toList();
    }

    /** The number of rows in one step of every stream, over all lanes. */
    public long stepRows() {
        return streams.values().stream().mapToLong(stream -> stream.info().order().batch()).sum();
    }

    public ServedStream stream(String name) {
        ServedStream stream = streams.get(name);
        if (stream == null) {
            throw RequestCheck.unknownStream(name, infos());
        }
        return stream;
    }
}
