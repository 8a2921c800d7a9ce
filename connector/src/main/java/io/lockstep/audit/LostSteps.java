package io.lockstep.audit;

import java.util.List;

/**
 * The steps of which a writer has lost records, until they are written as gaps. Not thread-safe.
 */
final class LostSteps {

    /** Ranges that are kept apart; what is lost beyond them is only counted. */
    private static final int MAX_RANGES = 1 << 16;

    /** Those that no write was tried of yet. */
    private final GapSet fresh = new GapSet();

    /** Those that the writer has taken. */
    private final GapSet taken = new GapSet();

    private long digests;

    void add(DigestRow row) {
        digests += row.lanes().size();
        if (fresh.ranges() < MAX_RANGES) {
            fresh.add(row);
        }
    }

    /** How many digests were lost since the start. */
    long digests() {
        return digests;
    }

    /** Those that were not taken before; they are {@link #unwritten} until {@link #written}. */
    List<Gap> take() {
        List<Gap> gaps = fresh.list();
        gaps.forEach(taken::add);
        fresh.clear();
        return gaps;
    }

    /** What was taken is in the run directory. */
    void written() {
        taken.clear();
    }

    /** All that are not in the run directory. */
    List<Gap> unwritten() {
        GapSet all = new GapSet();
        taken.list().forEach(all::add);
        fresh.list().forEach(all::add);
        return all.list();
    }
}
