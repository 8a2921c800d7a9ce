package io.lockstep.manifest;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pattern of paths: {@code *} and {@code ?} stand for characters of one name, {@code **} for any
 * number of directories, {@code [a-z]} and <code>{a,b}</code> for a choice. A directory that
 * matches stands for all below it.
 */
final class Glob {

    private static final String WILDCARDS = "*?[{";

    private Glob() {}

    static boolean isPattern(String text) {
        return firstWildcard(text) >= 0;
    }

    /** The longest directory without a wildcard, with its '/'; empty where there is none. */
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

    /** The regular expression of a pattern, which is relative to its base. */
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
     * Whether a longer path could match. False where the expression has failed within the
     * directory, so that nothing that follows would change that.
     *
     * @param directory with its '/'
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
