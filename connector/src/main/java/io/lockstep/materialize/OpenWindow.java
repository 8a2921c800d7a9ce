package io.lockstep.materialize;

import io.lockstep.batch.RowSource;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.order.Window;
import io.lockstep.order.WindowOrder;
import java.util.List;

/**
 * A window whose row groups are pinned until its last holder has closed it. Thread-safe.
 *
 * <p>Whoever opens it holds it; {@link #retain} adds a holder.
 */
final class OpenWindow implements AutoCloseable {

    private final Window window;
    private final WindowOrder order;
    private final List<PinnedRowGroup> rowGroups;
    private final List<RowSource> sources;
    private int holders = 1;

    /**
     * @param order the permuted rows; its slice numbers index {@code rowGroups}
     * @param rowGroups the row group of each slice, pinned
     * @param sources the same as a gather reads them
     */
    OpenWindow(
            Window window,
            WindowOrder order,
            List<PinnedRowGroup> rowGroups,
            List<RowSource> sources) {
        this.window = window;
        this.order = order;
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

    /** Adds a holder, which closes it too. */
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
