package io.lockstep.cli.data;

import io.lockstep.source.StreamSpec;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.TransformSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A transform of a stream.
 *
 * @param schema the columns that result from it
 */
public record PlannedTransform(String name, String kind, List<Field> schema) {

    /** The transforms of a stream, in order, applied to the columns that it reads. */
    static List<PlannedTransform> of(StreamSpec spec, Schema columns) {
        List<PlannedTransform> planned = new ArrayList<>();
        List<NamedTransform> transforms = spec.chain().transforms();
        Schema schema = columns;
        for (int i = 0; i < transforms.size(); i++) {
            TransformSpec transform = spec.transforms().get(i);
            schema = transforms.get(i).schema(schema);
            planned.add(
                    new PlannedTransform(transform.name(), transform.kind(), schema.getFields()));
        }
        return planned;
    }
}
