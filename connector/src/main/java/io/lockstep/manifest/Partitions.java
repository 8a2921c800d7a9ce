package io.lockstep.manifest;

import io.lockstep.Nearest;
import io.lockstep.UserException;
import io.lockstep.WrongUseException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The columns that folders named {@code key=value} add to the files below them. Immutable. */
final class Partitions {

    /** How Hive, Spark and pyarrow write null. */
    private static final String NULL = "__HIVE_DEFAULT_PARTITION__";

    private final List<Shard> shards;
    private final List<String> names;

    /** For each shard, the decoded value of each folder's key; null if it is null. */
    private final List<Map<String, String>> values = new ArrayList<>();

    /**
     * @param names the keys that are columns
     */
    Partitions(List<Shard> shards, List<String> names) {
        this.shards = shards;
        this.names = List.copyOf(names);
        if (!names.isEmpty()) {
            shards.forEach(shard -> values.add(values(shard.path())));
        }
    }

    /** Returns the keys of all folders, in the order of the files. */
    static List<String> keys(List<Shard> shards) {
        Set<String> keys = new LinkedHashSet<>();
        shards.forEach(shard -> keys.addAll(values(shard.path()).keySet()));
        return List.copyOf(keys);
    }

    private static Map<String, String> values(String path) {
        String[] segments = path.split("/");
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i + 1 < segments.length; i++) {
            int equals = segments[i].indexOf('=');
            if (equals > 0) {
                String text = decoded(segments[i].substring(equals + 1));
                values.put(
                        decoded(segments[i].substring(0, equals)), text.equals(NULL) ? null : text);
            }
        }
        return values;
    }

    /** Replaces {@code %XX}, by which Hive and others write characters that paths cannot have. */
    private static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (bytes[i] == '%' && high >= 0 && low >= 0) {
                out.write(high << 4 | low);
                i += 2;
            } else {
                out.write(bytes[i]);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    List<String> names() {
        return names;
    }

    /**
     * Returns the columns, in the types of the rules, else int64 if that is how all values are
     * written, else string.
     *
     * @throws UserException if a value is not of its type
     * @throws WrongUseException if the rules name a key that no folder has
     */
    List<Field> fields(SchemaRules rules) {
        for (String key : rules.partitions().keySet()) {
            if (!names.contains(key)) {
                throw new WrongUseException(
                        "partitions has the type of \""
                                + key
                                + "\", and no folder of the data is named "
                                + key
                                + "=..., or the files have such a column."
                                + Nearest.suggestion(key, names));
            }
        }
        List<Field> fields = new ArrayList<>();
        for (String name : names) {
            PartitionType type = rules.partitions().get(name);
            if (type == null) {
                type = isNumber(name) ? PartitionType.INT64 : PartitionType.STRING;
            }
            boolean nullable = values.stream().anyMatch(of -> of.get(name) == null);
            Field field = new Field(name, new FieldType(nullable, type.arrow(), null), List.of());
            for (int shard = 0; shard < values.size(); shard++) {
                value(shard, field);
            }
            fields.add(field);
        }
        return fields;
    }

    private boolean isNumber(String name) {
        List<String> texts =
                values.stream().map(of -> of.get(name)).filter(text -> text != null).toList();
        return !texts.isEmpty() && texts.stream().allMatch(Partitions::isNumberAsWritten);
    }

    private static boolean isNumberAsWritten(String text) {
        try {
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Returns the column as one that cannot be read, if a file has no such folder; else null. */
    @Nullable
    UnreadableColumn refused(Field field) {
        String with = null;
        String without = null;
        for (int shard = 0; shard < values.size(); shard++) {
            if (values.get(shard).containsKey(field.getName())) {
                with = with == null ? shards.get(shard).location() : with;
            } else {
                without = without == null ? shards.get(shard).location() : without;
            }
        }
        if (without == null) {
            return null;
        }
        return new UnreadableColumn(
                field.getName(),
                TypeNames.of(field),
                "is in the folder names of " + with + " and missing in those of " + without,
                null,
                "--missing null or schema: {missing: null}");
    }

    /** Returns the text of a shard's value; null if it is null or the shard has none. */
    @Nullable
    String text(int shard, String name) {
        return values.get(shard).get(name);
    }

    /**
     * Returns a shard's value in the form of {@link PartitionType#parse}; null if it is null.
     *
     * @throws UserException if it is not of the field's type
     */
    @Nullable
    Object value(int shard, Field field) {
        String text = text(shard, field.getName());
        if (text == null) {
            return null;
        }
        PartitionType type = PartitionType.of(field.getType());
        try {
            return type.parse(text);
        } catch (RuntimeException e) {
            throw new UserException(
                    "The folder "
                            + field.getName()
                            + "="
                            + text
                            + " of "
                            + shards.get(shard).location()
                            + " has no value of the type "
                            + type
                            + " that partitions gives it; choose another type.",
                    e);
        }
    }
}
