package io.lockstep.cli.runfile;

import java.util.Collection;
import java.util.Locale;

/** Finds what somebody probably meant. */
public final class Nearest {

    private Nearest() {}

    /**
     * A question to append to a message, such as {@code ; did you mean 'batch'?}, or where nothing
     * is near the list of what there is.
     */
    public static String hint(String wrong, Collection<String> right) {
        String nearest = null;
        int best = Integer.MAX_VALUE;
        for (String candidate : right) {
            int distance = distance(fold(wrong), fold(candidate));
            if (distance < best) {
                best = distance;
                nearest = candidate;
            }
        }
        if (nearest != null && best <= Math.max(2, wrong.length() / 3)) {
            return "; did you mean '" + nearest + "'?";
        }
        return right.isEmpty() ? "" : "; there are: " + String.join(", ", right);
    }

    private static String fold(String text) {
        return text.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The edit distance in which two swapped neighbours count once (optimal string alignment). */
    static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            cost[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            cost[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                int least = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    least = Math.min(least, cost[i - 2][j - 2] + 1);
                }
                cost[i][j] = least;
            }
        }
        return cost[a.length()][b.length()];
    }
}
