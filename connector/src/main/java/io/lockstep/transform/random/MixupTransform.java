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

/** Mixes each sample with another one of its lane. */
final class MixupTransform extends RandomTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<Double> ALPHA =
            Parameter.required(
                    "alpha", ParameterType.NUMBER, "The parameter of the beta distribution.");

    static final Kind KIND =
            Kind.of(
                    "mixup",
                    "Random. Mixes each sample with another of the same lane of the step: `w * x + (1 -"
                            + " w) * x[partner]` in all of the columns, labels as well as features"
                            + " (mixup, arXiv 1710.09412). The partner is a uniform integer of the"
                            + " sample's stream, and w the quantile of Beta(alpha, alpha) at the next"
                            + " float64 number. A null, of the sample or its partner, leaves the"
                            + " value unchanged.",
                    List.of(ColumnKinds.COLUMNS, ALPHA),
                    MixupTransform::new);

    private final BetaQuantiles weights;

    private MixupTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters);
        double alpha = parameters.get(ALPHA);
        if (!(alpha >= 0.01 && alpha <= 100)) {
            throw new TransformException("'alpha' is " + alpha + "; it must be from 0.01 to 100");
        }
        this.weights = new BetaQuantiles(alpha);
    }

    @Override
    FloatColumns.Change change(StepSamples samples, SampleStreams random) {
        int count = samples.ids().length;
        long[] partners = new long[count];
        random.integers(samples.rowsOfLane(), 1, partners);
        double[] numbers = new double[count];
        random.uniform(1, numbers);
        for (int row = 0; row < count; row++) {
            partners[row] += row - row % samples.rowsOfLane();
        }
        return values -> mix(values, partners, numbers);
    }

    private void mix(FloatRows values, long[] partners, double[] numbers) {
        int width = values.width();
        double[] before = new double[values.rows() * width];
        for (int i = 0; i < before.length; i++) {
            before[i] = values.get(i);
        }
        for (int row = 0; row < partners.length; row++) {
            double weight = weights.at(numbers[row]);
            for (int i = 0; i < width; i++) {
                int own = row * width + i;
                int other = (int) partners[row] * width + i;
                if (!values.isNull(other)) {
                    values.set(own, weight * before[own] + (1 - weight) * before[other]);
                }
            }
        }
    }
}
