package io.lockstep;

import java.util.Collection;
import java.util.Locale;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;

/** Suggests similar names in messages about a name that does not exist. */
@Internal
public final class Nearest {

    private Nearest() {}

    /**
     * Returns the known name with the smallest Levenshtein distance, ignoring case; the first one
     * if several are equally close, null if none is similar.
     */
    @Nullable
    public static String of(String name, Collection<String> known) {
        String nearest = null;
        // A name that needs more edits than half of its characters is a different word.
        int best = Math.max(1, name.length() / 2) + 1;
        for (String candidate : known) {
            int distance = distance(lower(name), lower(candidate));
            if (distance < best) {
                best = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Returns a sentence to append to a message, with a leading space, or an empty string. */
    public static String suggestion(String name, Collection<String> known) {
        String nearest = of(name, known);
        return nearest == null ? "" : " Did you mean \"" + nearest + "\"?";
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[to.length()];
    }
}
