package io.lockstep.source.reader;

import io.lockstep.source.GroupStep;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;

/**
 * The result of one fetch: steps of any groups, in the order in which they became ready, each under
 * the split of its lowest lane.
 */
final class ReadySteps implements RecordsWithSplitIds<GroupStep> {

    private final Iterator<GroupStep> steps;
    private final Set<String> finishedSplits;
    private GroupStep current;

    ReadySteps(List<GroupStep> steps, Set<String> finishedSplits) {
        this.steps = steps.iterator();
        this.finishedSplits = finishedSplits;
    }

    @Override
    public String nextSplit() {
        if (!steps.hasNext()) {
            return null;
        }
        current = steps.next();
        return current.group().first().splitId();
    }

    @Override
    public GroupStep nextRecordFromSplit() {
        GroupStep step = current;
        current = null;
        return step;
    }

    @Override
    public Set<String> finishedSplits() {
        return finishedSplits;
    }
}
