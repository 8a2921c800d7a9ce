package io.lockstep.source.enumerator;

import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.split.LaneSplit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The current reader of each lane: the initial assignment plus all moves since.
 *
 * <p>It is not checkpointed: lanes have no position, so the next enumerator assigns all lanes again
 * and ignores the splits in the readers' state. So each lane has exactly one reader at any time,
 * even if a checkpoint or a failure happens in the middle of a move. Not thread-safe.
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

    /** The lanes that were dealt to a reader and are now at other readers. */
    List<LaneSplit> movedAwayFrom(int subtask) {
        return lanes(dealt, subtask).stream().filter(lane -> owners.get(lane) != subtask).toList();
    }

    private static List<LaneSplit> lanes(Map<LaneSplit, Integer> among, int subtask) {
        return among.entrySet().stream()
                .filter(lane -> lane.getValue() == subtask)
                .map(Map.Entry::getKey)
                .toList();
    }

    void assign(Collection<LaneSplit> lanes, int subtask) {
        lanes.forEach(lane -> owners.put(lane, subtask));
    }
}
