package io.lockstep.transform.column;

import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Limits values to a range. */
final class ClipTransform extends FloatTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<Double> LOW =
            Parameter.optional("low", ParameterType.NUMBER, null, "The least value.");
    private static final Parameter<Double> HIGH =
            Parameter.optional("high", ParameterType.NUMBER, null, "The greatest value.");

    static final Kind KIND =
            Kind.of(
                    "clip",
                    "Limits values to a range: `min(max(x, low), high)`. NaN stays NaN. The result is"
                            + " float32 for float32, else float64.",
                    List.of(ColumnKinds.COLUMNS, LOW, HIGH),
                    ClipTransform::new);

    private final double low;
    private final double high;

    private ClipTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
        if (!parameters.has(LOW) && !parameters.has(HIGH)) {
            throw new TransformException("it needs the parameter 'low', 'high' or both");
        }
        this.low = parameters.has(LOW) ? parameters.get(LOW) : Double.NEGATIVE_INFINITY;
        this.high = parameters.has(HIGH) ? parameters.get(HIGH) : Double.POSITIVE_INFINITY;
        if (low > high) {
            throw new TransformException("'low' is " + low + ", above 'high', " + high);
        }
    }

    @Override
    DoubleUnaryOperator formula(String column) {
        return value -> value < low ? low : value > high ? high : value;
    }
}
