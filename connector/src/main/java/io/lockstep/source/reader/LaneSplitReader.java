package io.lockstep.source.reader;

import io.lockstep.source.GroupStep;
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
 * Hands out the steps that are ready. It decodes nothing and never busy-waits: it blocks until a
 * step is ready, the run is done, or Flink wakes it up.
 */
final class LaneSplitReader implements SplitReader<GroupStep, LaneSplit> {

    private final LaneService service;
    private final Consumer<Exception> failed;
    private final ReadyQueue queue;
    private final SortedSet<LaneSplit> lanes = new TreeSet<>();

    /**
     * @param service notified of added and removed lanes, on the fetcher's thread
     * @param failed told why the job ends, before Flink is, on the fetcher's thread; may block
     */
    LaneSplitReader(LaneService service, Consumer<Exception> failed) {
        this.service = service;
        this.failed = failed;
        this.queue = service.queue();
    }

    @Override
    public RecordsWithSplitIds<GroupStep> fetch() throws IOException {
        try {
            queue.await();
            Set<LaneSplit> leaving = removeRecalled();
            // After the lanes were removed, so none of their steps follows these.
            List<GroupStep> steps = queue.take();
            if (queue.hasEnded()) {
                leaving.addAll(lanes);
                lanes.clear();
            }
            return new ReadySteps(steps, ids(leaving));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ReadySteps(List.of(), Set.of());
        } catch (IOException | RuntimeException e) {
            failed.accept(e);
            throw e;
        }
    }

    private Set<LaneSplit> removeRecalled() {
        Set<LaneSplit> recalled = queue.takeRecalled(lanes);
        if (!recalled.isEmpty()) {
            lanes.removeAll(recalled);
            service.removeLanes(recalled);
        }
        return recalled;
    }

    private static Set<String> ids(Set<LaneSplit> splits) {
        return splits.stream().map(LaneSplit::splitId).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void handleSplitsChanges(SplitsChange<LaneSplit> change) {
        if (!(change instanceof SplitsAddition)) {
            throw new UnsupportedOperationException(
                    "lanes are added only, not " + change.getClass().getSimpleName());
        }
        lanes.addAll(change.splits());
        try {
            service.addLanes(change.splits());
        } catch (RuntimeException e) {
            failed.accept(e);
            throw e;
        }
    }

    @Override
    public void wakeUp() {
        queue.wakeUp();
    }

    /** Does nothing: the service owns the queue, and a later fetcher may continue with it. */
    @Override
    public void close() {}
}
