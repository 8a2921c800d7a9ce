package io.lockstep.materialize;

import io.lockstep.batch.RowSource;
import io.lockstep.cache.DamagedRowGroupException;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.cache.PinnedRowGroup.Check;
import io.lockstep.order.Window;
import io.lockstep.order.WindowOrder;
import java.util.List;

/**
 * A window whose row groups stay pinned until its last holder closes it. Thread-safe.
 *
 * <p>Its creator is the first holder; {@link #retain} adds a holder.
 */
final class OpenWindow implements AutoCloseable {

    private final Window window;
    private final WindowOrder order;
    private final GatheredSteps gathered;
    private final List<PinnedRowGroup> rowGroups;
    private final List<RowSource> sources;
    private int holders = 1;
    private volatile boolean damaged;

    /**
     * @param order the permuted rows; its slice numbers index {@code rowGroups}
     * @param gathered collects the steps that are gathered from it
     * @param rowGroups the row group of each slice, pinned
     * @param sources the row groups as sources for a gather
     */
    OpenWindow(
            Window window,
            WindowOrder order,
            GatheredSteps gathered,
            List<PinnedRowGroup> rowGroups,
            List<RowSource> sources) {
        this.window = window;
        this.order = order;
        this.gathered = gathered;
        this.rowGroups = rowGroups;
        this.sources = sources;
    }

    Window window() {
        return window;
    }

    WindowOrder order() {
        return order;
    }

    /** The row group of a slice. */
    RowSource source(int slice) {
        return sources.get(slice);
    }

    /** Records a step that is about to be gathered from it. */
    void gathers(long step) {
        gathered.add(step);
    }

    /**
     * Checks the mapped files.
     *
     * @throws io.lockstep.cache.DamagedRowGroupException if one is damaged: discard the gathered
     *     rows and open the window again
     */
    void check(Check check) {
        DamagedRowGroupException first = null;
        // All of them, so that one repetition of the step is enough.
        for (PinnedRowGroup rowGroup : rowGroups) {
            try {
                rowGroup.check(check);
            } catch (DamagedRowGroupException e) {
                damaged = true;
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Whether a mapped file was found damaged. */
    boolean isDamaged() {
        return damaged;
    }

    /** Adds a holder, which must close it too. */
    synchronized OpenWindow retain() {
        if (holders == 0) {
            throw new IllegalStateException("window " + window.number() + " is closed");
        }
        holders++;
        return this;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (holders == 0 || --holders > 0) {
                return;
            }
        }
        rowGroups.forEach(PinnedRowGroup::close);
    }
}
