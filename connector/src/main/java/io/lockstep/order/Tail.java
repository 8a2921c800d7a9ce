package io.lockstep.order;

import java.util.Locale;

/** What becomes of the rows that do not fill the last step. */
public enum Tail {
    /** They are not served. */
    DROP,
    /** The last step is filled up with rows of the lane's beginning, marked as padding. */
    PAD;

    /** Reads the name that {@link #toString} gives. */
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

    /** The name in settings and fingerprints, in lower case. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
