package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Takes logarithms. */
final class Log1pTransform extends FloatTransform {

    private static final long serialVersionUID = 1L;

    static final Kind KIND =
            Kind.of(
                    "log1p",
                    "`ln(1 + x)`, as fdlibm computes it: equal bits on every machine. Values below -1"
                            + " become NaN, and -1 becomes negative infinity. The result is float32"
                            + " for float32, else float64.",
                    List.of(ColumnKinds.COLUMNS),
                    Log1pTransform::new);

    private Log1pTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
    }

    @Override
    DoubleUnaryOperator formula(String column) {
        return StrictMath::log1p;
    }
}
