package io.lockstep.transform.random;

import io.lockstep.transform.parameter.Kind;
import java.util.List;

/** The kinds of this package. */
public final class RandomKinds {

    private RandomKinds() {}

    /** All kinds, in the order of the reference. */
    public static List<Kind> all() {
        return List.of(JitterTransform.KIND, FeatureDropoutTransform.KIND, MixupTransform.KIND);
    }
}
