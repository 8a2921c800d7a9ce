package io.lockstep.transform.parameter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The type of a parameter.
 *
 * @param words completes the sentence "it must be ...", and describes the type in the reference
 * @param reader parses the value, or throws IllegalArgumentException if it does not have this type
 */
public record ParameterType<T>(String words, Function<JsonNode, T> reader) {

    public static final ParameterType<String> TEXT =
            new ParameterType<>("a text", node -> checked(node, node.isTextual()).textValue());

    public static final ParameterType<Double> NUMBER =
            new ParameterType<>("a number", node -> checked(node, node.isNumber()).doubleValue());

    public static final ParameterType<Boolean> SWITCH =
            new ParameterType<>(
                    "true or false", node -> checked(node, node.isBoolean()).booleanValue());

    /** A constant of any column type: a text, number or boolean. */
    public static final ParameterType<JsonNode> SCALAR =
            new ParameterType<>(
                    "a text, a number, true or false",
                    node -> checked(node, node.isValueNode() && !node.isNull()));

    public static final ParameterType<List<String>> COLUMNS =
            new ParameterType<>(
                    "a column or a list of columns",
                    node -> node.isTextual() ? List.of(node.textValue()) : texts(node));

    /** Names with a text each, in their order. */
    public static final ParameterType<Map<String, String>> TEXTS =
            new ParameterType<>("names with a text each", ParameterType::byName);

    /** A value of that type, or a list of some. */
    public static <T> ParameterType<List<T>> list(ParameterType<T> type) {
        return new ParameterType<>(
                type.words() + ", or a list of them",
                node -> {
                    if (!node.isArray()) {
                        return List.of(type.reader.apply(node));
                    }
                    checked(node, !node.isEmpty());
                    List<T> values = new ArrayList<>();
                    node.forEach(each -> values.add(type.reader.apply(each)));
                    return List.copyOf(values);
                });
    }

    /** A whole number of at least that size. */
    public static ParameterType<Integer> integer(int least) {
        return new ParameterType<>(
                "a whole number of at least " + least,
                node ->
                        checked(
                                        node,
                                        node.isIntegralNumber()
                                                && node.canConvertToInt()
                                                && node.intValue() >= least)
                                .intValue());
    }

    /** A whole number in that range. */
    public static ParameterType<Integer> integer(int least, int most) {
        return new ParameterType<>(
                "a whole number from " + least + " to " + most,
                node -> {
                    int value = integer(least).reader.apply(node);
                    checked(node, value <= most);
                    return value;
                });
    }

    /** A number of at least that size. */
    public static ParameterType<Double> number(double least) {
        return new ParameterType<>(
                "a number of at least " + least,
                node ->
                        checked(node, node.isNumber() && node.doubleValue() >= least)
                                .doubleValue());
    }

    /** One of the constants, by its name in lower case. */
    public static <E extends Enum<E>> ParameterType<E> choice(E[] choices) {
        List<String> names =
                Arrays.stream(choices).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
        return new ParameterType<>(
                names.stream().collect(Collectors.joining(", ", "one of ", "")),
                node -> {
                    int index = node.isTextual() ? names.indexOf(node.textValue()) : -1;
                    return choices[index(node, index)];
                });
    }

    private static int index(JsonNode node, int index) {
        checked(node, index >= 0);
        return index;
    }

    private static JsonNode checked(JsonNode node, boolean valid) {
        if (!valid) {
            throw new IllegalArgumentException(node.toString());
        }
        return node;
    }

    private static List<String> texts(JsonNode node) {
        checked(node, node.isArray() && !node.isEmpty());
        List<String> texts = new ArrayList<>();
        node.forEach(each -> texts.add(TEXT.reader.apply(each)));
        return List.copyOf(texts);
    }

    private static Map<String, String> byName(JsonNode node) {
        checked(node, node.isObject() && !node.isEmpty());
        Map<String, String> texts = new LinkedHashMap<>();
        node.fields()
                .forEachRemaining(
                        each -> texts.put(each.getKey(), TEXT.reader.apply(each.getValue())));
        return texts;
    }
}
