package io.lockstep.transform.random;

import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.column.Identity;

/** The descriptions of random transforms, whose numbers depend on their names, too. */
final class RandomIdentity {

    private RandomIdentity() {}

    static String of(TransformSpec spec, int version) {
        return Identity.of(spec, version) + " as " + spec.name();
    }
}
