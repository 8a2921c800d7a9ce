package io.lockstep.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** One row group of a store. Guarded by the store's lock. */
final class Entry {

    /** The state of an entry. */
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

    /** Callers that wait for the row group. */
    final List<CompletableFuture<PinnedRowGroup>> callers = new ArrayList<>();

    /** Listeners of the holds since the last successful check. */
    final List<Consumer<Damage>> listeners = new ArrayList<>();

    State state = State.BUSY;

    /** The bytes that count towards the store's total, from before the file is written. */
    long bytes;

    int pins;

    /** The number of times that the last hold was closed. */
    long releases;

    /** The loader of the first waiting caller. */
    RowGroupLoader loader;

    /** The executor of the first waiting caller. */
    Executor executor;

    /** Absent until the row group has been written. */
    RowGroupFile file;

    /** Absent while the file is not mapped. */
    OpenRowGroup open;

    Entry(RowGroupKey key) {
        this.key = key;
    }
}
