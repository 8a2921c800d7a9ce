package io.lockstep.manifest;

import java.util.List;

/** Formats lists of names for messages. */
public final class Names {

    private static final int MAX = 20;

    private Names() {}

    /** Returns the names, or the first ones and the number of the others. */
    public static String some(List<String> names) {
        if (names.size() <= MAX) {
            return String.join(", ", names);
        }
        return String.join(", ", names.subList(0, MAX)) + " and " + (names.size() - MAX) + " more";
    }
}
