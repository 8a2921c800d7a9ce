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

    /** Parses the name returned by {@link #toString}. */
    public static Shuffle parse(String name) {
        for (Shuffle value : values()) {
            if (value.toString().equals(name)) {
                return value;
            }
        }
        throw new OrderException(
                "shuffle is '" + name + "': it must be one of " + String.join(", ", names()));
    }

    /** Returns whether row groups and rows are permuted. */
    boolean permutes() {
        return this == LANE || this == GLOBAL;
    }

    private static String[] names() {
        String[] names = new String[values().length];
        for (int i = 0; i < names.length; i++) {
            names[i] = values()[i].toString();
        }
        return names;
    }

    /** Returns the name used in settings and fingerprints, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
