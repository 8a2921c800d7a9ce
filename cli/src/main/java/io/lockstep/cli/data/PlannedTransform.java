package io.lockstep.cli.data;

import io.lockstep.Plural;
import io.lockstep.Printable;
import io.lockstep.manifest.TypeNames;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A transform of a stream.
 *
 * @param ofBatches whether it runs for each step, and not once for each row group
 * @param before the columns that come to it
 * @param schema the columns that result from it
 */
public record PlannedTransform(
        String name, String kind, boolean ofBatches, List<Field> before, List<Field> schema) {

    private static final int MOST_NAMES = 8;

    /** The transforms of a stream, in order, applied to the columns that it reads. */
    static List<PlannedTransform> of(StreamSpec spec, Schema columns) {
        List<PlannedTransform> planned = new ArrayList<>();
        TransformChain chain = spec.chain();
        List<NamedTransform> transforms = chain.transforms();
        Schema schema = columns;
        for (int i = 0; i < transforms.size(); i++) {
            TransformSpec transform = spec.transforms().get(i);
            Schema before = schema;
            schema = transforms.get(i).schema(before);
            planned.add(
                    new PlannedTransform(
                            transform.name(),
                            transform.kind(),
                            i >= chain.ofRowGroups().transforms().size(),
                            before.getFields(),
                            schema.getFields()));
        }
        return planned;
    }

    /** What it does to the columns, for example {@code ratio float32, without f00, f01}. */
    public String change() {
        Map<String, String> types = new LinkedHashMap<>();
        before.forEach(field -> types.put(field.getName(), TypeNames.of(field)));
        List<String> changes = new ArrayList<>();
        for (Field field : schema) {
            String type = TypeNames.of(field);
            if (!type.equals(types.remove(field.getName()))) {
                changes.add(Printable.of(field.getName()) + " " + type);
            }
        }
        List<String> lost = types.keySet().stream().map(Printable::of).toList();
        if (!lost.isEmpty()) {
            changes.add("without " + names(lost));
        }
        return changes.isEmpty() ? "the same columns" : String.join(", ", changes);
    }

    private static String names(List<String> names) {
        return names.size() <= MOST_NAMES
                ? String.join(", ", names)
                : String.join(", ", names.subList(0, MOST_NAMES))
                        + " and "
                        + Plural.of(names.size() - MOST_NAMES, "other column");
    }
}
