package io.lockstep.manifest;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path pattern: {@code *} and {@code ?} match characters within a name, {@code **} matches any
 * number of directories, and {@code [a-z]} and <code>{a,b}</code> match alternatives. A directory
 * that matches includes everything below it.
 */
final class Glob {

    private static final String WILDCARDS = "*?[{";

    private Glob() {}

    static boolean isPattern(String text) {
        return firstWildcard(text) >= 0;
    }

    /**
     * Returns the longest directory without a wildcard, with a trailing '/'; empty if the pattern
     * has none.
     */
    static String base(String pattern) {
        return pattern.substring(0, pattern.lastIndexOf('/', firstWildcard(pattern)) + 1);
    }

    private static int firstWildcard(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (WILDCARDS.indexOf(text.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    /** Compiles a pattern, which is relative to its base, to a regular expression. */
    static Pattern compile(String pattern) {
        StringBuilder regex = new StringBuilder();
        int braces = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            switch (c) {
                case '*' -> {
                    if (pattern.startsWith("**/", i)) {
                        regex.append("(?:[^/]+/)*");
                        i += 2;
                    } else if (pattern.startsWith("**", i)) {
                        regex.append(".*");
                        i++;
                    } else {
                        regex.append("[^/]*");
                    }
                }
                case '?' -> regex.append("[^/]");
                case '[' -> {
                    int close = pattern.indexOf(']', i + 2);
                    regex.append(close < 0 ? "\\[" : choice(pattern.substring(i + 1, close)));
                    i = close < 0 ? i : close;
                }
                case '{' -> {
                    regex.append("(?:");
                    braces++;
                }
                case '}' -> {
                    regex.append(braces > 0 ? ")" : "\\}");
                    braces = Math.max(0, braces - 1);
                }
                case ',' -> regex.append(braces > 0 ? "|" : ",");
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.append(")".repeat(braces)).toString(), Pattern.DOTALL);
    }

    /**
     * Returns whether a longer path could match. Returns false if the expression already fails
     * within the directory, so that no continuation can match.
     *
     * @param directory the directory, with a trailing '/'
     */
    static boolean canMatchBelow(Pattern regex, String directory) {
        Matcher matcher = regex.matcher(directory);
        return matcher.matches() || matcher.hitEnd();
    }

    private static String choice(String characters) {
        boolean negated = characters.startsWith("!") || characters.startsWith("^");
        String rest = negated ? characters.substring(1) : characters;
        String escaped = rest.replaceAll("[\\\\\\[\\]^&]", "\\\\$0");
        return (negated ? "[^/" : "[") + escaped + "]";
    }
}
