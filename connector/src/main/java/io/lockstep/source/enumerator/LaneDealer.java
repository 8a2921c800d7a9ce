package io.lockstep.source.enumerator;

import io.lockstep.source.feedback.StreamInfo;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Deals lanes to readers: a pure function of the streams and the parallelism.
 *
 * <p>Each reader gets a contiguous run of every stream's lanes, as the ranks do, so that a rank's
 * lanes come from as few readers as can be.
 */
final class LaneDealer {

    private LaneDealer() {}

    /**
     * The lanes of one reader, by stream and lane. Empty where there are more readers than lanes.
     */
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
}
