package io.lockstep.source;

import io.lockstep.WrongUseException;
import io.lockstep.materialize.TransformChain;
import io.lockstep.order.OrderSettings;
import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.annotation.PublicEvolving;

/**
 * What one stream of a run is made of: a dataset, the columns wanted of it, and its order.
 *
 * @param name what trainers ask for, {@code train} or {@code eval} for instance
 * @param data directories, globs or files, as the manifest's planner takes them
 * @param columns the columns to read, in this order; empty for all
 * @param order the complete settings of the sample order
 * @param epochs how often the trainers pass over the stream
 */
@PublicEvolving
public record StreamSpec(
        String name, List<String> data, List<String> columns, OrderSettings order, int epochs)
        implements Serializable {

    /** A name is part of file names in the run directory. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    /**
     * @throws WrongUseException for a name that is none, no data, or fewer than 1 epoch
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
    }

    /** What is done to its rows before they are stored. */
    public TransformChain transforms() {
        return TransformChain.empty();
    }
}
