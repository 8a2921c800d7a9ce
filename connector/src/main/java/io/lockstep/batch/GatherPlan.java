package io.lockstep.batch;

import io.lockstep.UserException;
import io.lockstep.batch.Node.Kind;
import java.util.List;

/**
 * The values that a gather takes from its sources for each node, computed before memory is
 * allocated.
 */
final class GatherPlan {

    private final BatchShape shape;
    private final List<RowSource> sources;
    private final Selection rows;
    private final Selection[] selections;
    private final Selection[] bytes;

    /**
     * @param columns the number of columns from the sources; the others have one value per row
     */
    GatherPlan(BatchShape shape, int columns, List<RowSource> sources, Selection rows) {
        this.shape = shape;
        this.sources = sources;
        this.rows = rows;
        this.selections = new Selection[shape.nodes().size()];
        this.bytes = new Selection[shape.nodes().size()];
        int node = 0;
        for (int i = 0; i < columns; i++) {
            node = add(node, rows);
        }
    }

    /** Returns one value per row of the batch. */
    Selection rows() {
        return rows;
    }

    /** Returns, by source, the address of its packed rows. */
    long[] packed() {
        return sources.stream().mapToLong(source -> source.packed).toArray();
    }

    /** Returns the values of a node that is read from the sources. */
    Selection values(Node node) {
        return selections[node.index()];
    }

    /** Returns the bytes of the values of a node of kind {@link Kind#VARIABLE}. */
    Selection bytes(Node node) {
        return bytes[node.index()];
    }

    /** Returns, by source, the address of a node's validity bitmap, or 0. */
    long[] validity(Node node) {
        long[] addresses = new long[sources.size()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = sources.get(i).validity[node.index()];
        }
        return addresses;
    }

    /** Returns, by source, the address of a node's offsets. */
    long[] offsets(Node node) {
        long[] addresses = new long[sources.size()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = sources.get(i).offsets[node.index()];
        }
        return addresses;
    }

    /** Returns, by source, a node's number of elements or bytes. */
    private long[] limits(Node node) {
        return sources.stream().mapToLong(source -> source.limit[node.index()]).toArray();
    }

    /** Returns, by source, the address of a node's values or bytes. */
    long[] data(Node node) {
        long[] addresses = new long[sources.size()];
        for (int i = 0; i < addresses.length; i++) {
            addresses[i] = sources.get(i).data[node.index()];
        }
        return addresses;
    }

    /**
     * Reserves space for a validity bitmap if any source has nulls, whether selected or not.
     *
     * @throws UserException if a column exceeds what Arrow's 32-bit offsets can address
     */
    BodyLayout layout(int rows) {
        int count = shape.nodes().size();
        int[] values = new int[count];
        int[] nulls = new int[count];
        long[] byteCounts = new long[count];
        for (Node node : shape.nodes()) {
            int i = node.index();
            if (selections[i] == null) {
                values[i] = rows;
                continue;
            }
            values[i] = checked(node, selections[i].values, "elements");
            nulls[i] = mayHaveNulls(node) ? values[i] : 0;
            if (bytes[i] != null) {
                byteCounts[i] = checked(node, bytes[i].values, "bytes");
            }
        }
        return new BodyLayout(shape, values, nulls, byteCounts);
    }

    private boolean mayHaveNulls(Node node) {
        for (RowSource source : sources) {
            if (source.nulls[node.index()]) {
                return true;
            }
        }
        return false;
    }

    private int add(int index, Selection selection) {
        Node node = shape.nodes().get(index);
        selections[index] = selection;
        if (node.kind() == Kind.VARIABLE) {
            bytes[index] = selection.elements(offsets(node), limits(node));
        }
        if (!node.hasElements()) {
            return index + 1;
        }
        return add(
                index + 1,
                node.kind() == Kind.LIST
                        ? selection.elements(offsets(node), limits(node))
                        : selection.fixedElements(node.listSize()));
    }

    private static int checked(Node node, long count, String what) {
        if (count > Integer.MAX_VALUE) {
            throw new UserException(
                    "Column \""
                            + node.path()
                            + "\" has "
                            + count
                            + " "
                            + what
                            + " in one lane's part of a step, and Arrow's limit is "
                            + Integer.MAX_VALUE
                            + "; choose a smaller batch or more lanes.");
        }
        return (int) count;
    }
}
