package io.lockstep.source.enumerator;

import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Assigns lanes to readers, as a pure function of the streams and the parallelism.
 *
 * <p>Each reader gets a contiguous range of every stream's lanes, as each rank does, so that a
 * rank's lanes come from as few readers as possible.
 */
final class LaneDealer {

    private LaneDealer() {}

    /** The lanes of one reader, by stream and lane. Empty if there are more readers than lanes. */
    static List<LaneSplit> lanesOf(int subtask, int parallelism, Collection<StreamInfo> streams) {
        List<LaneSplit> dealt = new ArrayList<>();
        for (StreamInfo stream : streams) {
            int lanes = stream.order().lanes();
            int from = (int) ((long) subtask * lanes / parallelism);
            int upTo = (int) ((long) (subtask + 1) * lanes / parallelism);
            for (int lane = from; lane < upTo; lane++) {
                dealt.add(new LaneSplit(stream.name(), lane));
            }
        }
        return dealt;
    }

    /**
     * Spreads each stream's lanes over the readers in contiguous ranges, as evenly as possible.
     * Readers without lanes are omitted.
     *
     * @param lanes by stream and lane
     */
    static SortedMap<Integer, List<LaneSplit>> spread(
            List<LaneSplit> lanes, List<Integer> readers) {
        SortedMap<Integer, List<LaneSplit>> runs = new TreeMap<>();
        Map<String, List<LaneSplit>> byStream =
                lanes.stream()
                        .collect(
                                Collectors.groupingBy(
                                        LaneSplit::stream, TreeMap::new, Collectors.toList()));
        for (List<LaneSplit> ofStream : byStream.values()) {
            for (int i = 0; i < ofStream.size(); i++) {
                int reader = readers.get((int) ((long) i * readers.size() / ofStream.size()));
                runs.computeIfAbsent(reader, absent -> new ArrayList<>()).add(ofStream.get(i));
            }
        }
        return runs;
    }
}
