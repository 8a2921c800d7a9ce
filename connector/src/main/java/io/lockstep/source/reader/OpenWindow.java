package io.lockstep.source.reader;

import io.lockstep.batch.RowSource;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.order.Window;
import io.lockstep.order.WindowOrder;
import java.util.List;

/**
 * A window whose row groups are at hand and stay so until it is closed.
 *
 * @param order the permuted rows; its slice numbers index {@code rowGroups}
 * @param rowGroups the row group of each slice, pinned
 * @param sources the same as a gather reads them
 */
record OpenWindow(
        Window window, WindowOrder order, List<PinnedRowGroup> rowGroups, List<RowSource> sources)
        implements AutoCloseable {

    @Override
    public void close() {
        rowGroups.forEach(PinnedRowGroup::close);
    }
}
