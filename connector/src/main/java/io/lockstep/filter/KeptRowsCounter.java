package io.lockstep.filter;

import io.lockstep.OrderedTasks;
import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;

/** Counts the kept rows of all row groups, with a thread per processor. */
public final class KeptRowsCounter {

    private KeptRowsCounter() {}

    /**
     * Reads the columns of the selection once. If several row groups fail, throws the failure of
     * the first.
     *
     * @param progress called with the number of row groups that are counted
     * @throws io.lockstep.UserException if the selection does not fit the columns, a file has
     *     changed, or a row cannot be computed
     */
    public static KeptRows count(
            RowSelection selection, Manifest manifest, SchemaRules rules, Progress progress)
            throws IOException {
        KeptRowsReader reader = new KeptRowsReader(selection, manifest, rules);
        int rowGroups = manifest.rowGroups().size();
        int threads = Math.min(Runtime.getRuntime().availableProcessors(), Math.max(1, rowGroups));
        long[] counts = new long[rowGroups];
        // The tasks use the allocator and end before it is closed.
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                OrderedTasks tasks = new OrderedTasks("filter", threads)) {
            tasks.run(
                    rowGroups,
                    rowGroup -> reader.read(rowGroup, allocator).length,
                    (rowGroup, count) -> {
                        counts[rowGroup] = count;
                        progress.rowGroups(rowGroup + 1, rowGroups);
                    });
        }
        return new KeptRows(selection, counts);
    }
}
