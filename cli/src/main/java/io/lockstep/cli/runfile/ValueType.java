package io.lockstep.cli.runfile;

import io.lockstep.audit.DigestRetention;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.manifest.PartitionType;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The type of a key's value.
 *
 * @param words completes the sentence "it must be ...", and describes the type in the reference
 * @param reader parses the value, or throws IllegalArgumentException if it does not have this type
 */
record ValueType<T>(String words, Function<Node, T> reader) {

    /** The shortest checkpoint interval that Flink accepts. */
    private static final long MIN_INTERVAL_MILLIS = 10;

    static final ValueType<String> TEXT = scalar("a text", text -> text);

    static final ValueType<String> CONDITION =
            scalar("a condition, such as fare < 500", ValueType::nonEmpty);

    static final ValueType<String> STREAM_NAME =
            scalar("the name of a stream", ValueType::nonEmpty);

    static final ValueType<String> PATH = scalar("a path", ValueType::nonEmpty);

    static final ValueType<List<String>> PATHS =
            new ValueType<>(
                    "a path or a list of paths",
                    node ->
                            node instanceof Node.Scalar
                                    ? List.of(PATH.reader.apply(node))
                                    : list(node, PATH));

    static final ValueType<List<String>> NAMES =
            new ValueType<>(
                    "a name or a list of names, each once",
                    node ->
                            node instanceof Node.Scalar
                                    ? List.of(PATH.reader.apply(node))
                                    : distinct(list(node, PATH)));

    static final ValueType<List<Node>> ITEMS =
            new ValueType<>(
                    "a list, such as [clip: {columns: [age], low: 0}]",
                    node -> {
                        if (node instanceof Node.Sequence sequence) {
                            return sequence.items();
                        }
                        throw new IllegalArgumentException(node.describe());
                    });

    static final ValueType<List<String>> WORDS =
            new ValueType<>(
                    "a list of words, such as [python, train.py]", node -> list(node, TEXT));

    static final ValueType<Integer> POSITIVE = integer(1);

    static final ValueType<Integer> COUNT = integer(0);

    static final ValueType<Long> SEED =
            scalar("a whole number from 0 to 2^64 - 1", Long::parseUnsignedLong);

    static final ValueType<PartitionType> PARTITION = choice(PartitionType.values());

    static final ValueType<Map<String, PartitionType>> PARTITIONS =
            new ValueType<>("names, each with the type " + PARTITION.words(), ValueType::types);

    static final ValueType<Map<String, String>> TEXTS =
            new ValueType<>("names, each with a text", ValueType::texts);

    static final ValueType<Map<String, String>> SHARES =
            new ValueType<>(
                    "names of streams with their shares, and optionally by with a column, such as"
                            + " {eval: 10%, by: user}",
                    ValueType::shares);

    static final ValueType<Boolean> SWITCH =
            scalar(
                    "true or false",
                    text -> {
                        if (!text.equals("true") && !text.equals("false")) {
                            throw new IllegalArgumentException(text);
                        }
                        return text.equals("true");
                    });

    /** Whether it is null. */
    static final ValueType<Boolean> REFUSE_OR_NULL =
            new ValueType<>(
                    "refuse or null",
                    node -> {
                        String text = node instanceof Node.Scalar scalar ? scalar.text() : "";
                        if (!text.equals("refuse") && !text.equals("null")) {
                            throw new IllegalArgumentException(node.describe());
                        }
                        return text.equals("null");
                    });

    static final ValueType<Shuffle> SHUFFLE = choice(Shuffle.values());

    static final ValueType<Tail> TAIL = choice(Tail.values());

    static final ValueType<Duration> INTERVAL =
            scalar(
                    "a duration of at least 10ms, such as 500ms, 30s, 5min or 1h",
                    ValueType::interval);

    static final ValueType<Long> SIZE =
            scalar("a size above 0, such as 800MB, 64GiB or 2TiB", Quantities::bytes);

    static final ValueType<String> ADDRESS =
            scalar("an IP address or a host name, without a port", ValueType::address);

    static final ValueType<PortRange> PORTS =
            scalar(
                    "a port or a range of ports such as 26000-26015, from 1 to 65535",
                    PortRange::parse);

    static final ValueType<DigestRetention> RETENTION =
            scalar("keep, off or a number of epochs", DigestRetention::parse);

    private static <T> ValueType<T> scalar(String words, Function<String, T> parse) {
        return new ValueType<>(
                words,
                node -> {
                    if (node instanceof Node.Scalar scalar && !scalar.absent()) {
                        return parse.apply(scalar.text());
                    }
                    throw new IllegalArgumentException(words);
                });
    }

    private static ValueType<Integer> integer(int least) {
        return scalar(
                "a whole number from " + least + " to " + Integer.MAX_VALUE,
                text -> {
                    int value = Integer.parseInt(text);
                    if (value < least) {
                        throw new IllegalArgumentException(text);
                    }
                    return value;
                });
    }

    private static Duration interval(String text) {
        Duration interval = Quantities.duration(text);
        if (interval.toMillis() < MIN_INTERVAL_MILLIS) {
            throw new IllegalArgumentException(text);
        }
        return interval;
    }

    private static <E extends Enum<E>> ValueType<E> choice(E[] choices) {
        List<String> names = new ArrayList<>();
        for (E each : choices) {
            names.add(each.name().toLowerCase(Locale.ROOT));
        }
        String last = names.get(names.size() - 1);
        String others = String.join(", ", names.subList(0, names.size() - 1));
        return scalar(
                others + " or " + last,
                text -> {
                    int index = names.indexOf(text);
                    if (index < 0) {
                        throw new IllegalArgumentException(text);
                    }
                    return choices[index];
                });
    }

    private static Map<String, PartitionType> types(Node node) {
        if (!(node instanceof Node.Mapping mapping)) {
            throw new IllegalArgumentException(node.describe());
        }
        Map<String, PartitionType> types = new LinkedHashMap<>();
        mapping.entries()
                .forEach((name, type) -> types.put(name, PARTITION.reader.apply(type.value())));
        return types;
    }

    private static Map<String, String> texts(Node node) {
        if (!(node instanceof Node.Mapping mapping)) {
            throw new IllegalArgumentException(node.describe());
        }
        Map<String, String> texts = new LinkedHashMap<>();
        mapping.entries().forEach((name, text) -> texts.put(name, TEXT.reader.apply(text.value())));
        return texts;
    }

    private static Map<String, String> shares(Node node) {
        if (!(node instanceof Node.Mapping mapping)) {
            throw new IllegalArgumentException(node.describe());
        }
        Map<String, String> shares = new LinkedHashMap<>();
        mapping.entries()
                .forEach((name, share) -> shares.put(name, PATH.reader.apply(share.value())));
        return shares;
    }

    private static <T> List<T> list(Node node, ValueType<T> element) {
        if (!(node instanceof Node.Sequence sequence) || sequence.items().isEmpty()) {
            throw new IllegalArgumentException(node.describe());
        }
        List<T> values = new ArrayList<>();
        for (Node item : sequence.items()) {
            values.add(element.reader.apply(item));
        }
        return List.copyOf(values);
    }

    private static <T> List<T> distinct(List<T> values) {
        if (new HashSet<>(values).size() < values.size()) {
            throw new IllegalArgumentException(values.toString());
        }
        return values;
    }

    private static String address(String text) {
        boolean name = text.matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");
        if (!name && !text.matches("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private static String nonEmpty(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("empty");
        }
        return text;
    }
}
