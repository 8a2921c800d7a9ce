package io.lockstep.transform.fitted;

import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.column.ColumnTransform;
import io.lockstep.transform.column.Columns;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/** A transform that replaces columns with a statistic of each. */
final class FittedColumns<V extends StatisticValue> extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    private final FittedFormula<V> formula;
    private final LinkedHashMap<String, StatisticValue> values;

    /**
     * @param description without statistics
     * @param values by column
     */
    FittedColumns(
            String description,
            Columns columns,
            FittedFormula<V> formula,
            Map<String, StatisticValue> values) {
        super(description + " fitted " + identity(values), columns);
        this.formula = formula;
        this.values = new LinkedHashMap<>(values);
    }

    private static String identity(Map<String, StatisticValue> values) {
        Map<String, String> identities = new LinkedHashMap<>();
        values.forEach((column, value) -> identities.put(column, value.identity()));
        return identities.toString().replace("\n", "\\n");
    }

    @Override
    protected Field replacement(Field column) {
        return formula.replacement(column);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected FieldVector replace(
            FieldVector column, Field replacement, BufferAllocator allocator) {
        // The value of the formula's own statistic.
        V value = (V) values.get(replacement.getName());
        return formula.replace(column, replacement, value, allocator);
    }
}
