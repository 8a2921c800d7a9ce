package io.lockstep.source.reader;

import io.lockstep.source.LaneStep;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;

/** What one fetch hands to Flink: steps of any lanes, in the order in which they got ready. */
final class ReadySteps implements RecordsWithSplitIds<LaneStep> {

    private final Iterator<LaneStep> steps;
    private final Set<String> finishedSplits;
    private LaneStep current;

    ReadySteps(List<LaneStep> steps, Set<String> finishedSplits) {
        this.steps = steps.iterator();
        this.finishedSplits = finishedSplits;
    }

    @Override
    public String nextSplit() {
        if (!steps.hasNext()) {
            return null;
        }
        current = steps.next();
        return current.split().splitId();
    }

    @Override
    public LaneStep nextRecordFromSplit() {
        LaneStep step = current;
        current = null;
        return step;
    }

    @Override
    public Set<String> finishedSplits() {
        return finishedSplits;
    }
}
