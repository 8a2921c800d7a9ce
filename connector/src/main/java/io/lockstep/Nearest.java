package io.lockstep;

import java.util.Collection;
import java.util.Locale;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;

/** Finds what somebody may have meant, for messages about a name that does not exist. */
@Internal
public final class Nearest {

    private Nearest() {}

    /**
     * The known name that takes the fewest insertions, deletions and replacements of characters
     * (Levenshtein's distance), without regard to case; the first of several; null where none is
     * similar.
     */
    @Nullable
    public static String of(String name, Collection<String> known) {
        String nearest = null;
        // More changes than half of the characters, and it is another word.
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

    /** A sentence for the end of a message, with a space before it, or nothing. */
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
