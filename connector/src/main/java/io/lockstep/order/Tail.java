package io.lockstep.order;

import java.util.Locale;

/** How to handle rows that do not fill the last step. */
public enum Tail {
    /** Drop them. */
    DROP,
    /** Fill the last step with rows from the beginning of the lane, marked as padding. */
    PAD;

    /** Returns the name used in settings and fingerprints, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
