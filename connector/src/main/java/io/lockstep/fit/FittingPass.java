package io.lockstep.fit;

import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.Statistic;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.UnfittedTransform;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The statistics that can be computed in the same passes over the rows: those of the first
 * transform that is not fitted, and those of later ones of other columns, with only transforms of
 * other columns in between.
 *
 * @param columns that must be read, in their order
 * @param before the fitted transforms that the rows pass through first
 * @param statistics by column, by the name of the transform
 */
record FittingPass(
        List<String> columns,
        TransformChain before,
        Map<String, Map<String, Statistic>> statistics) {

    /**
     * Returns the next statistics to compute; empty if all transforms are fitted.
     *
     * @param read the columns of the rows before any transform
     */
    static Optional<FittingPass> next(TransformChain chain, Schema read) {
        List<NamedTransform> transforms = chain.transforms();
        List<Step> before = new ArrayList<>();
        Schema schema = read;
        int next = 0;
        while (next < transforms.size() && !transforms.get(next).isUnfitted()) {
            before.add(Step.of(transforms.get(next), schema));
            schema = transforms.get(next).schema(schema);
            next++;
        }
        if (next == transforms.size()) {
            return Optional.empty();
        }
        Map<String, Map<String, Statistic>> statistics = new LinkedHashMap<>();
        Set<String> needed = new HashSet<>();
        Set<String> changed = new HashSet<>();
        for (NamedTransform transform : transforms.subList(next, transforms.size())) {
            Optional<Set<String>> touched = Step.of(transform, schema).touched();
            if (touched.isEmpty()) {
                break;
            }
            boolean disjoint = touched.get().stream().noneMatch(changed::contains);
            if (transform.transform() instanceof UnfittedTransform unfitted && disjoint) {
                statistics.put(transform.name(), unfitted.statistics(schema));
                needed.addAll(touched.get());
            }
            changed.addAll(touched.get());
            schema = transform.schema(schema);
        }
        return Optional.of(of(chain.stream(), read, before, needed, statistics));
    }

    /** Leaves out the transforms and columns that have no effect on those that are needed. */
    private static FittingPass of(
            String stream,
            Schema read,
            List<Step> before,
            Set<String> needed,
            Map<String, Map<String, Statistic>> statistics) {
        List<NamedTransform> kept = new ArrayList<>();
        boolean all = false;
        for (int i = before.size() - 1; i >= 0; i--) {
            Optional<Set<String>> touched = before.get(i).touched();
            all = all || touched.isEmpty();
            if (all || touched.get().stream().anyMatch(needed::contains)) {
                kept.add(0, before.get(i).transform());
                touched.ifPresent(needed::addAll);
            }
        }
        boolean everything = all;
        List<String> columns =
                read.getFields().stream()
                        .map(Field::getName)
                        .filter(name -> everything || needed.contains(name))
                        .toList();
        return new FittingPass(columns, TransformChain.of(stream, kept), statistics);
    }

    /**
     * A transform with the columns that it reads or replaces.
     *
     * @param touched empty if it may change any
     */
    private record Step(NamedTransform transform, Optional<Set<String>> touched) {

        static Step of(NamedTransform transform, Schema schema) {
            try {
                return new Step(transform, transform.transform().touched(schema));
            } catch (TransformException e) {
                throw NamedTransform.named(transform.name(), e);
            }
        }
    }
}
