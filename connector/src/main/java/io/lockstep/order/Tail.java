package io.lockstep.order;

import java.util.Locale;

/** How to handle rows that do not fill the last step. */
public enum Tail {
    /** Drop them. */
    DROP,
    /** Fill the last step with rows from the beginning of the lane, marked as padding. */
    PAD;

    /** Parses the name returned by {@link #toString}. */
    public static Tail parse(String name) {
        for (Tail value : values()) {
            if (value.toString().equals(name)) {
                return value;
            }
        }
        throw new OrderException(
                "tail is '" + name + "': it must be one of " + String.join(", ", names()));
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
