package io.lockstep.fit;

import io.lockstep.dataset.Dataset;
import io.lockstep.fit.PassRunner.Running;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.materialize.Content;
import io.lockstep.transform.FittedValues;
import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Schema;

/** Computes the statistics that the transforms of a stream need, in the order of the chain. */
public final class ChainFitter {

    private final Dataset dataset;
    private final List<String> columns;
    private final SchemaRules rules;
    private final Progress progress;
    private int passes;

    /**
     * @param columns that the stream reads; empty for all
     * @param progress called with the number of row groups that are done
     */
    public ChainFitter(
            Dataset dataset, List<String> columns, SchemaRules rules, Progress progress) {
        this.dataset = dataset;
        this.columns = columns;
        this.rules = rules;
        this.progress = progress;
    }

    /**
     * Reads the rows as often as needed. If several row groups fail, throws the failure of the
     * first.
     *
     * @throws io.lockstep.UserException if a column has no such statistic, a transform fails, or a
     *     file has changed
     */
    public FittedValues fit(TransformChain chain) throws IOException {
        Schema read = dataset.manifest().select(columns, rules);
        FittedValues values = FittedValues.NONE;
        TransformChain rest = chain;
        Optional<FittingPass> pass = FittingPass.next(rest, read);
        while (pass.isPresent()) {
            values = values.and(compute(pass.get()));
            rest = chain.fitted(values);
            pass = FittingPass.next(rest, read);
        }
        return values;
    }

    private Map<String, Map<String, StatisticValue>> compute(FittingPass pass) throws IOException {
        Map<String, Map<String, Running<?>>> computations = new LinkedHashMap<>();
        List<Running<?>> running = new ArrayList<>();
        pass.statistics()
                .forEach(
                        (transform, statistics) ->
                                statistics.forEach(
                                        (column, statistic) -> {
                                            Running<?> started = start(transform, statistic);
                                            running.add(started);
                                            computations
                                                    .computeIfAbsent(
                                                            transform, t -> new LinkedHashMap<>())
                                                    .put(column, started);
                                        }));
        Content content = new Content(dataset, pass.columns(), rules, pass.before());
        try (PassRunner runner = new PassRunner(content)) {
            while (!running.isEmpty()) {
                int rowGroups = dataset.manifest().rowGroups().size();
                runner.pass(running, done -> progress.statistics(passes, done, rowGroups));
                running.removeIf(Running::hasEnded);
                passes++;
            }
        }
        Map<String, Map<String, StatisticValue>> values = new LinkedHashMap<>();
        computations.forEach(
                (transform, byColumn) -> {
                    Map<String, StatisticValue> made = new LinkedHashMap<>();
                    byColumn.forEach((column, each) -> made.put(column, each.value()));
                    values.put(transform, made);
                });
        return values;
    }

    private static Running<?> start(String transform, Statistic statistic) {
        return new Running<>(transform, statistic.start());
    }
}
