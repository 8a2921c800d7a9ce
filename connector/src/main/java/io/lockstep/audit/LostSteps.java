package io.lockstep.audit;

import java.util.List;

/** The steps with lost records of a writer, until they are written as gaps. Not thread-safe. */
final class LostSteps {

    /** The maximum number of separate ranges; losses beyond it are only counted. */
    private static final int MAX_RANGES = 1 << 16;

    /** The steps without an attempted write. */
    private final GapSet fresh = new GapSet();

    /** The steps that the writer has taken. */
    private final GapSet taken = new GapSet();

    private long digests;

    void add(DigestRow row) {
        digests += row.lanes().size();
        if (fresh.ranges() < MAX_RANGES) {
            fresh.add(row);
        }
    }

    /** The number of digests lost since the start. */
    long digests() {
        return digests;
    }

    /**
     * Takes the steps that were not taken before; they remain {@link #unwritten} until {@link
     * #written}.
     */
    List<Gap> take() {
        List<Gap> gaps = fresh.list();
        gaps.forEach(taken::add);
        fresh.clear();
        return gaps;
    }

    /** Records that the taken steps are in the run directory. */
    void written() {
        taken.clear();
    }

    /** All steps that are not in the run directory yet. */
    List<Gap> unwritten() {
        GapSet all = new GapSet();
        taken.list().forEach(all::add);
        fresh.list().forEach(all::add);
        return all.list();
    }
}
