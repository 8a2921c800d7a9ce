package io.lockstep.cli.data;

import io.lockstep.source.StreamSpec;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A transform of a stream.
 *
 * @param ofBatches whether it runs for each step, and not once for each row group
 * @param schema the columns that result from it
 */
public record PlannedTransform(String name, String kind, boolean ofBatches, List<Field> schema) {

    /** The transforms of a stream, in order, applied to the columns that it reads. */
    static List<PlannedTransform> of(StreamSpec spec, Schema columns) {
        List<PlannedTransform> planned = new ArrayList<>();
        TransformChain chain = spec.chain();
        List<NamedTransform> transforms = chain.transforms();
        Schema schema = columns;
        for (int i = 0; i < transforms.size(); i++) {
            TransformSpec transform = spec.transforms().get(i);
            schema = transforms.get(i).schema(schema);
            planned.add(
                    new PlannedTransform(
                            transform.name(),
                            transform.kind(),
                            i >= chain.ofRowGroups().transforms().size(),
                            schema.getFields()));
        }
        return planned;
    }
}
