package io.lockstep.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.VectorSchemaRoot;

/** One row group of a store, first being loaded and then mapped. Guarded by the store's lock. */
final class Entry {

    final RowGroupKey key;

    /** Those who asked before the row group was ready. */
    final List<CompletableFuture<PinnedRowGroup>> askers = new ArrayList<>();

    /** Accounted for in the store's total; from the moment before the file is written. */
    long bytes;

    int pins;

    /** Absent until the row group is ready. */
    RowGroupFile file;

    /** Absent until the row group is ready. */
    VectorSchemaRoot root;

    Entry(RowGroupKey key) {
        this.key = key;
    }

    boolean ready() {
        return root != null;
    }
}
