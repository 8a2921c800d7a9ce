package io.lockstep.source.reader;

import io.lockstep.dataset.EpochTable;
import io.lockstep.materialize.LaneWindows;
import io.lockstep.materialize.Materializer;
import io.lockstep.materialize.StepSelection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The source of the rows of a group's steps: one stream and the windows of the group's lanes.
 *
 * @param windows of the lanes, ascending
 */
record GroupRows(Materializer stream, List<LaneWindows> windows) {

    int lanes() {
        return windows.size();
    }

    /** The expected bytes of a step. */
    long stepBytes() {
        return stream.stepBytes() * lanes();
    }

    EpochTable.Epoch epochAt(long position) {
        return stream.table().at(position);
    }

    /** Whether the windows of a step are open or being opened. */
    boolean areOpen(long position) {
        return windows.stream().allMatch(lane -> lane.isOpen(position));
    }

    /**
     * Completes when the windows of a step are open. Reports failures only through the future and
     * never throws, because the caller may be working for other groups.
     */
    CompletableFuture<Void> prepare(long position) {
        try {
            return CompletableFuture.allOf(
                    windows.stream()
                            .map(lane -> lane.prepare(position))
                            .toArray(CompletableFuture[]::new));
        } catch (Throwable t) {
            return CompletableFuture.failedFuture(t);
        }
    }

    /**
     * Selects the rows of the step that was prepared last and starts to prefetch the windows after
     * it. The caller closes the selection.
     */
    StepSelection select(long position) {
        StepSelection selection = stream.selection(epochAt(position).epoch(), lanes());
        try {
            for (LaneWindows lane : windows) {
                lane.select(position, selection);
                lane.prefetchAfter(position);
            }
            return selection;
        } catch (Throwable t) {
            selection.close();
            throw t;
        }
    }
}
