package io.lockstep.transform.fitted;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.transform.Transform;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.column.ColumnKinds;
import io.lockstep.transform.column.Constant;
import io.lockstep.transform.column.FillTransform;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;

/** Replaces nulls by a constant or by a statistic. */
final class FillKind {

    private static final Parameter<JsonNode> VALUE =
            Parameter.required(
                    "value",
                    ParameterType.SCALAR,
                    "The constant, which the column's type must hold, or mean, median or"
                            + " most_frequent.");

    static final Kind FILL =
            Kind.of(
                    "fill",
                    "Replaces nulls: `x if x is not null else value`. The value is a constant, or the"
                            + " `mean`, the `median` or the `most_frequent` of the column's other"
                            + " values, fitted when the run is planned. The median of an even number"
                            + " of values is the mean of the middle two; of equally frequent values,"
                            + " the smallest counts. In a column of whole numbers, mean and median are"
                            + " rounded, halves to the even number. The type stays, and the column has"
                            + " no nulls any more. NaN is a number and stays; statistics leave it"
                            + " out.",
                    List.of(ColumnKinds.COLUMNS, VALUE),
                    FillKind::create);

    private FillKind() {}

    private static Transform create(TransformSpec spec, Parameters parameters) {
        List<String> columns = parameters.get(ColumnKinds.COLUMNS);
        JsonNode value = parameters.get(VALUE);
        for (FillStatistic statistic : FillStatistic.values()) {
            if (value.isTextual() && value.textValue().equals(statistic.toString())) {
                return new UnfittedColumns(spec, 2, columns, statistic);
            }
        }
        return new FillTransform(spec, columns, Constant.of(value));
    }
}
