package io.lockstep.transform.random;

import io.lockstep.order.SampleStreams;
import io.lockstep.transform.StepSamples;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.column.ColumnKinds;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;

/** Replaces some values by a constant. */
final class FeatureDropoutTransform extends RandomTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<Double> PROBABILITY =
            Parameter.required(
                    "p", ParameterType.NUMBER, "The probability for each value, from 0 to 1.");
    private static final Parameter<Double> VALUE =
            Parameter.optional(
                    "value", ParameterType.NUMBER, 0.0, "What replaces a value; default: 0.");

    static final Kind KIND =
            Kind.of(
                    "feature_dropout",
                    "Random. Replaces each value with probability p: `value if uniform < p else x`,"
                            + " with one float64 number of the sample's stream for each value, column"
                            + " by column in their order. The others are not scaled.",
                    List.of(ColumnKinds.COLUMNS, PROBABILITY, VALUE),
                    FeatureDropoutTransform::new);

    private final double probability;
    private final double value;

    private FeatureDropoutTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters);
        this.probability = parameters.get(PROBABILITY);
        this.value = parameters.get(VALUE);
        if (!(probability >= 0 && probability <= 1)) {
            throw new TransformException("'p' is " + probability + "; it must be from 0 to 1");
        }
    }

    @Override
    FloatColumns.Change change(StepSamples samples, SampleStreams random) {
        return values -> drop(values, random);
    }

    private void drop(FloatRows values, SampleStreams random) {
        double[] numbers = new double[values.rows() * values.width()];
        random.uniform(values.width(), numbers);
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < probability) {
                values.set(i, value);
            }
        }
    }
}
