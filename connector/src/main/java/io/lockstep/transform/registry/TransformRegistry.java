package io.lockstep.transform.registry;

import io.lockstep.Nearest;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.column.ColumnKinds;
import io.lockstep.transform.custom.JavaTransform;
import io.lockstep.transform.fitted.FittedKinds;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.python.PythonTransform;
import io.lockstep.transform.random.RandomKinds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All kinds of transforms. */
public final class TransformRegistry {

    private TransformRegistry() {}

    /** The kinds, in the order of the reference. */
    public static List<Kind> kinds() {
        return Stream.of(
                        ColumnKinds.all(),
                        FittedKinds.all(),
                        RandomKinds.all(),
                        List.of(PythonTransform.KIND, JavaTransform.KIND))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Creates the transforms of a stream.
     *
     * @param stream its name
     * @throws TransformException if a kind does not exist, its parameters are wrong, or two
     *     transforms have the same name
     */
    public static TransformChain chain(String stream, List<TransformSpec> specs) {
        Set<String> names = new HashSet<>();
        List<NamedTransform> transforms = new ArrayList<>();
        for (TransformSpec spec : specs) {
            if (!names.add(spec.name())) {
                throw new TransformException(
                        "Two transforms have the name '"
                                + spec.name()
                                + "'; give one of them another by 'name'.");
            }
            NamedTransform transform = create(spec);
            checkFitting(transform, transforms);
            transforms.add(transform);
        }
        return TransformChain.of(stream, transforms);
    }

    /** Statistics of rows that differ from epoch to epoch would mean little. */
    private static void checkFitting(NamedTransform transform, List<NamedTransform> before) {
        for (NamedTransform each : before) {
            if (transform.isUnfitted() && each.isOfBatches()) {
                throw new TransformException(
                        "The transform '"
                                + transform.name()
                                + "' computes statistics and must stand before the first random"
                                + " transform, which is '"
                                + each.name()
                                + "'.");
            }
        }
    }

    private static NamedTransform create(TransformSpec spec) {
        List<String> known = kinds().stream().map(Kind::name).toList();
        Kind kind =
                kinds().stream()
                        .filter(each -> each.name().equals(spec.kind()))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new TransformException(
                                                "There is no transform '"
                                                        + spec.kind()
                                                        + "'."
                                                        + Nearest.suggestion(spec.kind(), known)
                                                        + " The transforms are "
                                                        + String.join(", ", known)
                                                        + "."));
        try {
            return new NamedTransform(spec.name(), kind.create().apply(spec));
        } catch (TransformException e) {
            throw NamedTransform.named(spec.name(), e);
        }
    }
}
