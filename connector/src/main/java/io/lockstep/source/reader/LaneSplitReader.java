package io.lockstep.source.reader;

import io.lockstep.source.LaneStep;
import io.lockstep.source.split.LaneSplit;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;

/**
 * Hands out the steps that are ready. It decodes nothing and never spins: it sleeps until a step is
 * ready, the run is done, or Flink wakes it.
 */
final class LaneSplitReader implements SplitReader<LaneStep, LaneSplit> {

    private final ReadyQueue queue;
    private final Consumer<SortedSet<LaneSplit>> onLanes;
    private final SortedSet<LaneSplit> lanes = new TreeSet<>();

    /**
     * @param onLanes told all lanes of this reader whenever they change, on the fetcher's thread
     */
    LaneSplitReader(ReadyQueue queue, Consumer<SortedSet<LaneSplit>> onLanes) {
        this.queue = queue;
        this.onLanes = onLanes;
    }

    @Override
    public RecordsWithSplitIds<LaneStep> fetch() throws IOException {
        try {
            List<LaneStep> steps = queue.take();
            return new ReadySteps(steps, queue.hasEnded() ? end() : Set.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ReadySteps(List.of(), Set.of());
        }
    }

    private Set<String> end() {
        Set<String> finished =
                lanes.stream().map(LaneSplit::splitId).collect(Collectors.toUnmodifiableSet());
        lanes.clear();
        return finished;
    }

    @Override
    public void handleSplitsChanges(SplitsChange<LaneSplit> change) {
        if (!(change instanceof SplitsAddition)) {
            throw new UnsupportedOperationException(
                    "lanes are added only, not " + change.getClass().getSimpleName());
        }
        lanes.addAll(change.splits());
        onLanes.accept(new TreeSet<>(lanes));
    }

    @Override
    public void wakeUp() {
        queue.wakeUp();
    }

    @Override
    public void close() {
        queue.close();
    }
}
