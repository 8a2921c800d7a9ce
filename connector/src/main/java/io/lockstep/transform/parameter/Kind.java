package io.lockstep.transform.parameter;

import io.lockstep.transform.Transform;
import io.lockstep.transform.TransformSpec;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A kind of transform that users can name in the run file.
 *
 * @param name as users write it
 * @param summary what it computes, with its formula, for the reference
 * @param parameters in the order of the reference
 * @param create makes a transform; throws TransformException if the parameters are wrong
 */
public record Kind(
        String name,
        String summary,
        List<Parameter<?>> parameters,
        Function<TransformSpec, Transform> create) {

    /** A kind with declared parameters. */
    public static Kind of(
            String name,
            String summary,
            List<Parameter<?>> parameters,
            BiFunction<TransformSpec, Parameters, Transform> create) {
        return new Kind(
                name,
                summary,
                parameters,
                spec -> create.apply(spec, Parameters.of(spec, parameters)));
    }
}
