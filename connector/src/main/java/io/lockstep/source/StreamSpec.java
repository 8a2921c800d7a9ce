package io.lockstep.source;

import io.lockstep.WrongUseException;
import io.lockstep.filter.RowSelection;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.order.OrderSettings;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.registry.TransformRegistry;
import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.annotation.PublicEvolving;

/**
 * The specification of one stream of a run: its dataset, columns and order.
 *
 * @param name the name that trainers use, for example {@code train} or {@code eval}
 * @param data directories, globs or files, as the manifest's planner accepts them
 * @param columns the columns to read, in this order; empty for all
 * @param order the complete settings of the sample order
 * @param epochs the number of passes over the stream
 * @param schema how to read columns that differ between files
 * @param transforms that its rows pass through before they are stored, in order
 * @param rows the rows of the dataset that it has
 */
@PublicEvolving
public record StreamSpec(
        String name,
        List<String> data,
        List<String> columns,
        OrderSettings order,
        int epochs,
        SchemaRules schema,
        List<TransformSpec> transforms,
        RowSelection rows)
        implements Serializable {

    /** The name is used in file names of the run directory. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    /**
     * @throws WrongUseException if the name is invalid, there is no data, or epochs is less than 1
     */
    public StreamSpec {
        if (!NAME.matcher(name).matches()) {
            throw new WrongUseException(
                    "the stream name '"
                            + name
                            + "' cannot be used: take letters, digits, '-' and '_' (at most 64)");
        }
        if (data.isEmpty()) {
            throw new WrongUseException("the stream '" + name + "' names no data");
        }
        if (epochs < 1) {
            throw new WrongUseException(
                    "the stream '" + name + "' has " + epochs + " epochs: it needs at least 1");
        }
        data = List.copyOf(data);
        columns = List.copyOf(columns);
        transforms = List.copyOf(transforms);
    }

    /** A stream with all rows of its dataset. */
    public StreamSpec(
            String name,
            List<String> data,
            List<String> columns,
            OrderSettings order,
            int epochs,
            SchemaRules schema,
            List<TransformSpec> transforms) {
        this(name, data, columns, order, epochs, schema, transforms, RowSelection.ALL);
    }

    /** A stream with all rows, whose columns must not differ between files. */
    public StreamSpec(
            String name, List<String> data, List<String> columns, OrderSettings order, int epochs) {
        this(name, data, columns, order, epochs, SchemaRules.STRICT, List.of());
    }

    /** Returns the same stream with other transforms. */
    public StreamSpec with(List<TransformSpec> others) {
        return new StreamSpec(name, data, columns, order, epochs, schema, others, rows);
    }

    /**
     * Creates its transforms.
     *
     * @throws io.lockstep.transform.TransformException if one of them is wrong
     */
    public TransformChain chain() {
        return TransformRegistry.chain(name, transforms);
    }
}
