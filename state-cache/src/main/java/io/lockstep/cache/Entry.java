package io.lockstep.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** One row group of a store. Guarded by the store's lock. */
final class Entry {

    /** What an entry is doing. */
    enum State {
        /** A task loads or checks it; it counts as pinned. */
        BUSY,
        /** Mapped, with at least one hold. */
        PINNED,
        /** Mapped without a hold, and waiting for the check of its content; counts as pinned. */
        UNCHECKED,
        /** On disk only. */
        IDLE
    }

    final RowGroupKey key;

    /** Those who wait until the row group is ready. */
    final List<CompletableFuture<PinnedRowGroup>> askers = new ArrayList<>();

    /** Listeners of holds that were given since the last successful check. */
    final List<Consumer<Damage>> listeners = new ArrayList<>();

    State state = State.BUSY;

    /** Accounted for in the store's total; from the moment before the file is written. */
    long bytes;

    int pins;

    /** How often the last hold was closed. */
    long releases;

    /** How the first of the askers loads it. */
    RowGroupLoader loader;

    /** Where the first of the askers loads it. */
    Executor executor;

    /** Absent until the row group has been written. */
    RowGroupFile file;

    /** Absent while the file is not mapped. */
    OpenRowGroup open;

    Entry(RowGroupKey key) {
        this.key = key;
    }
}
