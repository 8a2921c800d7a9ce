package io.lockstep.transform.column;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Moves a part of one-hot labels to all classes. */
final class LabelSmoothingTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<Double> EPSILON =
            Parameter.required("epsilon", ParameterType.NUMBER, "The part, from 0 to 1.");

    static final Kind KIND =
            Kind.of(
                    "label_smoothing",
                    "Moves a part of the labels that `one_hot` makes to all n classes: `x * (1 -"
                            + " epsilon) + epsilon / n`. Needs fixed-size lists of float32.",
                    List.of(ColumnKinds.COLUMNS, EPSILON),
                    LabelSmoothingTransform::new);

    private final double epsilon;

    private LabelSmoothingTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
        this.epsilon = parameters.get(EPSILON);
        if (!(epsilon >= 0 && epsilon <= 1)) {
            throw new TransformException("'epsilon' is " + epsilon + "; it must be from 0 to 1");
        }
    }

    @Override
    protected Field replacement(Field column) {
        if (!(column.getType() instanceof ArrowType.FixedSizeList)
                || !Elements.of(column).getType().equals(NumberType.FLOAT32.arrow())) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", and this transform needs fixed-size lists of float32; use one_hot"
                            + " before");
        }
        return column;
    }

    @Override
    protected FieldVector replace(
            FieldVector values, Field replacement, BufferAllocator allocator) {
        FixedSizeListVector made = (FixedSizeListVector) Vectors.copy(values, allocator);
        Float4Vector labels = (Float4Vector) made.getDataVector();
        double added = epsilon / made.getListSize();
        for (int i = 0; i < labels.getValueCount(); i++) {
            if (!labels.isNull(i)) {
                labels.set(i, (float) (labels.get(i) * (1 - epsilon) + added));
            }
        }
        return made;
    }
}
