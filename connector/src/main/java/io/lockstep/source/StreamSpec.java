package io.lockstep.source;

import io.lockstep.WrongUseException;
import io.lockstep.dataset.Dataset;
import io.lockstep.filter.RowSelection;
import io.lockstep.fit.Fitting;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.order.OrderSettings;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.registry.TransformRegistry;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
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
 * @param like the stream on whose rows the statistics of its transforms are computed; null for the
 *     stream itself
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
        RowSelection rows,
        @Nullable StreamSpec like)
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
        this(name, data, columns, order, epochs, schema, transforms, RowSelection.ALL, null);
    }

    /** A stream with all rows, whose columns must not differ between files. */
    public StreamSpec(
            String name, List<String> data, List<String> columns, OrderSettings order, int epochs) {
        this(name, data, columns, order, epochs, SchemaRules.STRICT, List.of());
    }

    /** Returns the same stream with other transforms. */
    public StreamSpec with(List<TransformSpec> others) {
        return new StreamSpec(name, data, columns, order, epochs, schema, others, rows, like);
    }

    /**
     * Returns the same stream with the transforms of another one, fitted on the rows of that one.
     * Leaves out those that run for each step, since these are random.
     */
    public StreamSpec like(StreamSpec other) {
        List<TransformSpec> kept = new ArrayList<>();
        List<NamedTransform> all = other.chain().transforms();
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).isOfBatches()) {
                kept.add(other.transforms.get(i));
            }
        }
        return new StreamSpec(name, data, columns, order, epochs, schema, kept, rows, other);
    }

    /**
     * Creates its transforms and what is needed to fit them.
     *
     * @param dataset the rows of this stream
     * @throws io.lockstep.transform.TransformException if one of them is wrong
     */
    public Fitting fitting(Dataset dataset) {
        return new Fitting(dataset, columns, schema, chain(), like == null ? null : like.name);
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
