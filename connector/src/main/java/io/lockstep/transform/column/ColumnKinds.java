package io.lockstep.transform.column;

import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import java.util.List;

/** The kinds of this package. */
public final class ColumnKinds {

    public static final Parameter<List<String>> COLUMNS =
            Parameter.required("columns", ParameterType.COLUMNS, "The columns to transform.");

    private ColumnKinds() {}

    /** All kinds, in the order of the reference. */
    public static List<Kind> all() {
        return List.of(
                SelectTransform.SELECT,
                SelectTransform.DROP,
                RenameTransform.KIND,
                CastTransform.KIND,
                ExprTransform.KIND,
                MissingIndicatorTransform.KIND,
                ClipTransform.KIND,
                Log1pTransform.KIND,
                HashTransform.KIND,
                CrossTransform.KIND,
                OneHotTransform.ONE_HOT,
                OneHotTransform.MULTI_HOT,
                LabelSmoothingTransform.KIND,
                DatePartsTransform.KIND,
                CyclicTransform.KIND,
                ListLengthTransform.KIND,
                TruncateTransform.KIND,
                PadTransform.KIND,
                PackTransform.KIND);
    }
}
