package io.lockstep.manifest;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A column as users select it: a top-level name, in which {@code *} stands for any characters, or a
 * path into structs, separated by dots. A backslash takes the meaning from a following dot, comma,
 * backslash or glob character.
 */
public final class ColumnPattern {

    private static final String ESCAPED = "\\.,*?[]{}";

    private final StringBuilder literal = new StringBuilder();
    private final StringBuilder regex = new StringBuilder();
    private boolean glob;

    /** The name before the first dot that is not escaped; null if there is none. */
    private String head;

    public ColumnPattern(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length() && ESCAPED.indexOf(text.charAt(i + 1)) >= 0) {
                add(text.charAt(++i));
            } else if (c == '*') {
                glob = true;
                regex.append(".*");
            } else {
                if (c == '.' && head == null) {
                    head = literal.toString();
                }
                add(c);
            }
        }
    }

    private void add(char c) {
        literal.append(c);
        regex.append(Pattern.quote(String.valueOf(c)));
    }

    public boolean isGlob() {
        return glob;
    }

    /** Returns the name without escapes, if this is no glob. */
    public String name() {
        return literal.toString();
    }

    /** Returns the top-level column that this is a path into; null if it is no path. */
    String head() {
        return glob ? null : head;
    }

    /** Returns the names that match, in their order. */
    public List<String> matching(Collection<String> names) {
        Pattern pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
        return names.stream().filter(name -> pattern.matcher(name).matches()).toList();
    }
}
