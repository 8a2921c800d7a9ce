package io.lockstep.manifest;

import java.util.List;

/** Lists names in messages. */
final class Names {

    private static final int MOST = 20;

    private Names() {}

    /** The names, or the first of them and how many more there are. */
    static String some(List<String> names) {
        if (names.size() <= MOST) {
            return String.join(", ", names);
        }
        return String.join(", ", names.subList(0, MOST))
                + " and "
                + (names.size() - MOST)
                + " more";
    }
}
