package io.lockstep.order;

import java.util.Locale;

/** How far the order mixes. */
public enum Shuffle {
    /** Rows as they stand in the dataset. */
    NONE,
    /** Each lane keeps its row groups in every epoch, and permutes them and their rows. */
    LANE,
    /** Row groups are dealt to lanes afresh in every epoch. */
    GLOBAL;

    /** Reads the name that {@link #toString} gives. */
    public static Shuffle parse(String name) {
        for (Shuffle value : values()) {
            if (value.toString().equals(name)) {
                return value;
            }
        }
        throw new OrderException(
                "shuffle is '" + name + "': it must be one of " + String.join(", ", names()));
    }

    private static String[] names() {
        String[] names = new String[values().length];
        for (int i = 0; i < names.length; i++) {
            names[i] = values()[i].toString();
        }
        return names;
    }

    /** The name in settings and fingerprints, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
