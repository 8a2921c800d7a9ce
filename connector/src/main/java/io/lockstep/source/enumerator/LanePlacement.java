package io.lockstep.source.enumerator;

import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.split.LaneSplit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which reader has each lane now. It begins with the deal; what deviates from it has been moved
 * since.
 *
 * <p>No checkpoint holds it: lanes have no position, so that with the next enumerator all are dealt
 * anew, whatever readers report from their state. So each lane is with exactly one reader at any
 * time, in whatever state of a move a checkpoint or a failure comes. Not thread-safe.
 */
final class LanePlacement {

    private final SortedMap<LaneSplit, Integer> dealt = new TreeMap<>();
    private final SortedMap<LaneSplit, Integer> owners = new TreeMap<>();

    /** Deals all lanes. */
    LanePlacement(int parallelism, Collection<StreamInfo> streams) {
        for (int subtask = 0; subtask < parallelism; subtask++) {
            for (LaneSplit lane : LaneDealer.lanesOf(subtask, parallelism, streams)) {
                dealt.put(lane, subtask);
            }
        }
        owners.putAll(dealt);
    }

    boolean has(LaneSplit lane) {
        return owners.containsKey(lane);
    }

    int owner(LaneSplit lane) {
        return owners.get(lane);
    }

    /** The lanes of one reader, by stream and lane. */
    List<LaneSplit> of(int subtask) {
        return lanes(owners, subtask);
    }

    /** The lanes that were dealt to a reader and are with others. */
    List<LaneSplit> awayFrom(int subtask) {
        return lanes(dealt, subtask).stream().filter(lane -> owners.get(lane) != subtask).toList();
    }

    private static List<LaneSplit> lanes(Map<LaneSplit, Integer> among, int subtask) {
        return among.entrySet().stream()
                .filter(lane -> lane.getValue() == subtask)
                .map(Map.Entry::getKey)
                .toList();
    }

    void give(Collection<LaneSplit> lanes, int subtask) {
        lanes.forEach(lane -> owners.put(lane, subtask));
    }
}
