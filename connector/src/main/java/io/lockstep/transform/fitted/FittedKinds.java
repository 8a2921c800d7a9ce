package io.lockstep.transform.fitted;

import io.lockstep.transform.parameter.Kind;
import java.util.List;

/** The kinds of this package. */
public final class FittedKinds {

    private FittedKinds() {}

    /** All kinds, in the order of the reference. */
    public static List<Kind> all() {
        return List.of(
                FillKind.FILL,
                ScalingKinds.STANDARDIZE,
                ScalingKinds.MIN_MAX,
                ScalingKinds.ROBUST_SCALE,
                EncodingKinds.QUANTILE_BINS,
                EncodingKinds.VOCABULARY,
                EncodingKinds.FREQUENCY_ENCODE,
                EncodingKinds.TARGET_ENCODE);
    }
}
