package io.lockstep.transform.fitted;

import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.column.ColumnKinds;
import io.lockstep.transform.fitted.Scaling.Affine;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.statistic.Moments;
import io.lockstep.transform.statistic.MomentsOfColumn;
import io.lockstep.transform.statistic.Quantiles;
import io.lockstep.transform.statistic.QuantilesOfColumn;
import java.util.List;

/** The kinds that subtract an offset and divide by a scale. */
final class ScalingKinds {

    private static final String REST =
            " A column of equal values is divided by 1. Nulls stay null and NaN stays NaN. The"
                    + " result is float32 for float32, else float64.";

    static final Kind STANDARDIZE =
            kind(
                    "standardize",
                    "Scales to mean 0 and variance 1: `(x - mean) / sqrt(variance)`, with the variance"
                            + " of the population, `mean((x - mean)^2)`."
                            + REST,
                    new Scaling<Moments>(
                            MomentsOfColumn::new, value -> Affine.of(value.mean(), value.scale())));

    static final Kind MIN_MAX =
            kind(
                    "min_max",
                    "Scales to the range from 0 to 1: `(x - min) / (max - min)`. Values outside of the"
                            + " fitted range are not clipped."
                            + REST,
                    new Scaling<Moments>(
                            MomentsOfColumn::new,
                            value -> Affine.of(value.min(), value.max() - value.min())));

    static final Kind ROBUST_SCALE =
            kind(
                    "robust_scale",
                    "Scales by quartiles, which outliers do not move: `(x - median) / (q75 - q25)`,"
                            + " with exact quantiles, linear between two values. Quartiles that are"
                            + " equal divide by 1."
                            + REST,
                    new Scaling<Quantiles>(
                            column -> new QuantilesOfColumn(column, List.of(0.25, 0.5, 0.75)),
                            value -> Affine.of(value.get(1), value.get(2) - value.get(0))));

    private ScalingKinds() {}

    private static <V extends StatisticValue> Kind kind(
            String name, String summary, Scaling<V> scaling) {
        return Kind.of(
                name,
                summary,
                List.of(ColumnKinds.COLUMNS),
                (spec, parameters) ->
                        new UnfittedColumns(spec, 1, parameters.get(ColumnKinds.COLUMNS), scaling));
    }
}
