package io.lockstep.order;

import java.util.Locale;

/** The scope of shuffling. */
public enum Shuffle {
    /** Each lane keeps the order of its own part of the dataset. */
    NONE,
    /** Each lane keeps its row groups in every epoch, and shuffles them and their rows. */
    LANE,
    /** Row groups are redistributed among the lanes in every epoch. */
    GLOBAL,
    /** Each global batch holds consecutive rows of the dataset. */
    SEQUENTIAL;

    /** Returns whether row groups and rows are permuted. */
    boolean permutes() {
        return this == LANE || this == GLOBAL;
    }

    /** Returns the name used in settings and fingerprints, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
