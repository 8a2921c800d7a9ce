package io.lockstep.transform.random;

import io.lockstep.order.SampleStreams;
import io.lockstep.transform.BatchTransform;
import io.lockstep.transform.StepSamples;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.column.ColumnKinds;
import io.lockstep.transform.column.Columns;
import io.lockstep.transform.column.Identity;
import io.lockstep.transform.parameter.Parameters;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** A transform that changes floats by numbers of the samples' random streams. */
abstract class RandomTransform implements BatchTransform {

    private static final long serialVersionUID = 1L;

    private final String name;
    private final String description;
    private final FloatColumns columns;

    /**
     * @param version changes whenever the result for the same parameters and numbers changes
     */
    RandomTransform(TransformSpec spec, int version, Parameters parameters) {
        this.name = spec.name();
        // The numbers depend on the name, too.
        this.description = Identity.of(spec, version) + " as " + name;
        this.columns = new FloatColumns(new Columns(parameters.get(ColumnKinds.COLUMNS)));
    }

    /**
     * Returns how to change the columns of a step, which are given one after the other.
     *
     * @param random the streams of the samples, at their first word
     */
    abstract FloatColumns.Change change(StepSamples samples, SampleStreams random);

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final Schema schema(Schema schema) {
        return columns.check(schema);
    }

    @Override
    public final VectorSchemaRoot apply(
            VectorSchemaRoot rows, StepSamples samples, BufferAllocator allocator) {
        return columns.change(rows, allocator, change(samples, samples.random(name)));
    }
}
