package io.lockstep.manifest;

import io.lockstep.Nearest;
import io.lockstep.UserException;
import io.lockstep.WrongUseException;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the columns that users select. A selected text is an exact top-level name if there is one,
 * else a glob over the names, else a path into structs.
 */
final class ColumnSelection {

    private final Set<String> known;
    private final Collection<UnreadableColumn> unreadable;
    private final String root;

    /**
     * @param known the names of all columns, in order
     * @param unreadable those that cannot be read
     */
    ColumnSelection(
            Collection<String> known, Collection<UnreadableColumn> unreadable, String root) {
        this.known = new LinkedHashSet<>(known);
        this.unreadable = unreadable;
        this.root = root;
    }

    /**
     * Returns the names of the selected columns. A glob adds those of its columns, in the order of
     * the dataset, that are not selected otherwise.
     *
     * @throws WrongUseException if a column does not exist or is named twice
     * @throws UserException if a column lies in a struct
     */
    List<String> names(List<String> selected) {
        Set<String> exact = new HashSet<>();
        for (String text : selected) {
            String name = exact(text);
            if (name != null && !exact.add(name)) {
                throw new WrongUseException(
                        "Column \"" + name + "\" is asked for twice; name it once.");
            }
        }
        Set<String> names = new LinkedHashSet<>();
        for (String text : selected) {
            String name = exact(text);
            if (name != null) {
                names.add(name);
                continue;
            }
            List<String> matched = new ColumnPattern(text).matching(known);
            if (matched.isEmpty()) {
                throw noSuch(text, "There is no column that matches \"");
            }
            matched.stream().filter(column -> !exact.contains(column)).forEach(names::add);
        }
        return List.copyOf(names);
    }

    /** Returns the column that is meant; null for a glob. */
    private String exact(String text) {
        if (known.contains(text)) {
            return text;
        }
        ColumnPattern pattern = new ColumnPattern(text);
        if (pattern.isGlob()) {
            return null;
        }
        if (known.contains(pattern.name())) {
            return pattern.name();
        }
        for (UnreadableColumn column : unreadable) {
            if (column.name().equals(pattern.head()) && column.isNested()) {
                throw new UserException(
                        "The column \""
                                + text
                                + "\" lies in \""
                                + column.name()
                                + "\", which "
                                + column.reason()
                                + ", and Lockstep reads only top-level columns; write it as one.");
            }
        }
        throw noSuch(text, "There is no column \"");
    }

    private NoSuchColumnException noSuch(String text, String beginning) {
        return new NoSuchColumnException(
                beginning
                        + text
                        + "\" in "
                        + root
                        + "."
                        + Nearest.suggestion(text, known)
                        + " Its columns are "
                        + Names.some(List.copyOf(known))
                        + ".");
    }
}
