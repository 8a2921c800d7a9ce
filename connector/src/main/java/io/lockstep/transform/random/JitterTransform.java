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

/** Adds normal noise. */
final class JitterTransform extends RandomTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<Double> SIGMA =
            Parameter.required(
                    "sigma", ParameterType.NUMBER, "The standard deviation; at least 0.");

    static final Kind KIND =
            Kind.of(
                    "jitter",
                    "Random. Adds normal noise: `x + sigma * normal`, with one number of the sample's"
                            + " stream for each value, column by column in their order.",
                    List.of(ColumnKinds.COLUMNS, SIGMA),
                    JitterTransform::new);

    private final double sigma;

    private JitterTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters);
        this.sigma = parameters.get(SIGMA);
        if (!(sigma >= 0 && sigma < Double.POSITIVE_INFINITY)) {
            throw new TransformException("'sigma' is " + sigma + "; it must be at least 0");
        }
    }

    @Override
    FloatColumns.Change change(StepSamples samples, SampleStreams random) {
        return values -> add(values, random);
    }

    private void add(FloatRows values, SampleStreams random) {
        double[] noise = new double[values.rows() * values.width()];
        random.normal(values.width(), noise);
        for (int i = 0; i < noise.length; i++) {
            values.set(i, values.get(i) + sigma * noise[i]);
        }
    }
}
