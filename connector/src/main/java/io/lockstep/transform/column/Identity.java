package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;

/** The descriptions of Lockstep's own transforms. */
public final class Identity {

    private Identity() {}

    /**
     * Describes a transform without fitted statistics: kind, version and parameters.
     *
     * @param version changes whenever the result for the same parameters changes
     */
    public static String of(TransformSpec spec, int version) {
        return spec.kind() + "/" + version + " " + spec.parameters().replace("\n", "\\n");
    }
}
