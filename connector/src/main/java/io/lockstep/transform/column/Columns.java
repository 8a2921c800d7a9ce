package io.lockstep.transform.column;

import io.lockstep.Nearest;
import io.lockstep.manifest.ColumnPattern;
import io.lockstep.manifest.Names;
import io.lockstep.transform.TransformException;
import java.io.Serializable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The columns that a transform is applied to: names, globs in which {@code *} stands for any
 * characters, and ranges {@code FIRST..LAST} over the order of the columns. An exact name comes
 * first.
 *
 * @param texts as users write them
 */
public record Columns(List<String> texts) implements Serializable {

    private static final String RANGE = "..";

    /**
     * Returns the names of the chosen columns, each once, in the order of the texts.
     *
     * @throws TransformException if one of the texts matches no column
     */
    public List<String> in(Schema schema) {
        List<String> known = schema.getFields().stream().map(Field::getName).toList();
        Set<String> chosen = new LinkedHashSet<>();
        texts.forEach(text -> chosen.addAll(in(known, text)));
        return List.copyOf(chosen);
    }

    private static List<String> in(List<String> known, String text) {
        if (known.contains(text)) {
            return List.of(text);
        }
        int range = text.indexOf(RANGE);
        if (range > 0 && range + RANGE.length() < text.length()) {
            int first = index(known, text.substring(0, range));
            int last = index(known, text.substring(range + RANGE.length()));
            if (first > last) {
                throw new TransformException(
                        "the range " + text + " is empty: its first column stands after its last");
            }
            return known.subList(first, last + 1);
        }
        ColumnPattern pattern = new ColumnPattern(text);
        List<String> matching = pattern.matching(known);
        if (matching.isEmpty()) {
            throw missing(known, pattern.isGlob() ? text : pattern.name());
        }
        return matching;
    }

    private static int index(List<String> known, String name) {
        int index = known.indexOf(name);
        if (index < 0) {
            throw missing(known, name);
        }
        return index;
    }

    private static TransformException missing(List<String> known, String text) {
        return new TransformException(
                "there is no column \""
                        + text
                        + "\"."
                        + Nearest.suggestion(text, known)
                        + " The columns there are "
                        + Names.some(known)
                        + ".");
    }
}
