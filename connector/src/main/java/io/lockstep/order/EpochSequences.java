package io.lockstep.order;

/**
 * Caches the sequence of row groups of recent epochs. If the sequence depends on the epoch, the
 * last two are kept, because lanes enter the next epoch one after another. Thread-safe: each
 * sequence is computed once, even if several lanes request it concurrently.
 */
final class EpochSequences {

    private final OrderSettings settings;
    private final long[] rows;
    private Entry latest;
    private Entry former;

    EpochSequences(OrderSettings settings, long[] rows) {
        this.settings = settings;
        this.rows = rows;
    }

    synchronized RowGroups of(long epoch) {
        long keyEpoch = settings.shuffle() == Shuffle.GLOBAL ? epoch : 0;
        if (latest != null && latest.epoch() == keyEpoch) {
            return latest.groups();
        }
        if (former != null && former.epoch() == keyEpoch) {
            return former.groups();
        }
        former = latest;
        latest = new Entry(keyEpoch, make(keyEpoch));
        return latest.groups();
    }

    private RowGroups make(long epoch) {
        return settings.shuffle().permutes()
                ? RowGroups.permuted(rows, RandomKey.derive(settings.seed(), "rowgroups", epoch, 0))
                : RowGroups.canonical(rows);
    }

    private record Entry(long epoch, RowGroups groups) {}
}
