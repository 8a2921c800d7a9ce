package io.lockstep.transform.fitted;

import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.UnfittedTransform;
import io.lockstep.transform.column.Columns;
import io.lockstep.transform.column.Identity;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A transform that replaces columns with a statistic of each, before it has been fitted. */
final class UnfittedColumns implements UnfittedTransform {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final Columns columns;
    private final FittedFormula<?> formula;

    /**
     * @param version changes whenever the result for the same parameters changes
     */
    UnfittedColumns(
            TransformSpec spec, int version, List<String> columns, FittedFormula<?> formula) {
        this.description = Identity.of(spec, version);
        this.columns = new Columns(columns);
        this.formula = formula;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Schema schema(Schema schema) {
        Set<String> chosen = statistics(schema).keySet();
        List<Field> fields =
                schema.getFields().stream()
                        .map(
                                field ->
                                        chosen.contains(field.getName())
                                                ? formula.replacement(field)
                                                : field)
                        .toList();
        return new Schema(fields, schema.getCustomMetadata());
    }

    @Override
    public Optional<Set<String>> touched(Schema schema) {
        Set<String> touched = new HashSet<>();
        statistics(schema)
                .forEach(
                        (column, statistic) -> {
                            touched.add(column);
                            touched.addAll(statistic.columns());
                        });
        return Optional.of(touched);
    }

    @Override
    public Map<String, Statistic> statistics(Schema schema) {
        Map<String, Statistic> statistics = new LinkedHashMap<>();
        for (String column : columns.in(schema)) {
            Statistic statistic = formula.statistic(schema.findField(column));
            // Refuses a column that does not exist.
            new Columns(statistic.columns()).in(schema);
            statistics.put(column, statistic);
        }
        return statistics;
    }

    @Override
    public RowGroupTransform fitted(Map<String, StatisticValue> values) {
        return new FittedColumns<>(description, columns, formula, values);
    }
}
