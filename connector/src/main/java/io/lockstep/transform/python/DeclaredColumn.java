package io.lockstep.transform.python;

import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.FixedLists;
import io.lockstep.transform.column.NumberType;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The columns that a function declares: {@code float32}, {@code string}, {@code float32[8]}. */
final class DeclaredColumn {

    private static final Pattern LIST = Pattern.compile("(\\w+)\\[([1-9]\\d{0,8})]");

    private static final String STRING = "string";

    private DeclaredColumn() {}

    /** The types, as text for messages and the reference. */
    static String types() {
        return Arrays.stream(NumberType.values())
                        .map(NumberType::toString)
                        .collect(Collectors.joining(", "))
                + ", "
                + STRING
                + ", or a tensor such as float32[8]";
    }

    /**
     * The column of a type.
     *
     * @throws TransformException if there is no such type
     */
    static Field of(String name, String type) {
        if (type.equals(STRING)) {
            return new Field(name, FieldType.nullable(new ArrowType.Utf8()), null);
        }
        Matcher list = LIST.matcher(type);
        if (list.matches()) {
            return number(list.group(1))
                    .filter(element -> element != NumberType.BOOL)
                    .map(
                            element ->
                                    FixedLists.field(
                                            name, Integer.parseInt(list.group(2)), element))
                    .orElseThrow(() -> unknown(name, type));
        }
        return number(type)
                .map(number -> new Field(name, FieldType.nullable(number.arrow()), null))
                .orElseThrow(() -> unknown(name, type));
    }

    private static Optional<NumberType> number(String type) {
        return Arrays.stream(NumberType.values())
                .filter(each -> each.toString().equals(type))
                .findFirst();
    }

    private static TransformException unknown(String name, String type) {
        return new TransformException(
                "'adds' declares '" + name + "' as '" + type + "'; it must be one of " + types());
    }
}
