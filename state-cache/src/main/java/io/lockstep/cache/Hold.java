package io.lockstep.cache;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A hold that a {@link RowGroupStore} has given. */
final class Hold implements PinnedRowGroup {

    private final RowGroupStore store;
    private final Entry entry;
    private final OpenRowGroup open;
    private final AtomicBoolean given = new AtomicBoolean();

    /** Call it with the store's lock held, while the entry is mapped. */
    Hold(RowGroupStore store, Entry entry) {
        this.store = store;
        this.entry = entry;
        this.open = entry.open;
    }

    @Override
    public VectorSchemaRoot root() {
        if (given.get()) {
            throw new IllegalStateException(
                    "The hold on row group " + entry.key.text() + " is closed.");
        }
        return open.root();
    }

    @Override
    public long bytes() {
        return entry.bytes;
    }

    @Override
    public void check(Check check) {
        Optional<Damage> damage;
        try {
            damage =
                    switch (check) {
                        case LENGTH -> open.checkLength();
                        case CHANGE -> open.checkUnchanged();
                        case CONTENT -> open.check();
                    };
        } catch (IOException e) {
            throw new CacheException(
                    "Cannot check the cache file of row group "
                            + entry.key.text()
                            + ": "
                            + e.getMessage(),
                    e);
        }
        if (damage.isPresent()) {
            store.damaged(entry, damage.get());
            throw new DamagedRowGroupException(damage.get());
        }
    }

    @Override
    public void onDamage(Consumer<Damage> listener) {
        store.listen(entry, listener);
    }

    @Override
    public void close() {
        if (given.compareAndSet(false, true)) {
            store.unhold(entry);
        }
    }
}
