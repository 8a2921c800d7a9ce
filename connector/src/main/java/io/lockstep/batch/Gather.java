package io.lockstep.batch;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Copies chosen rows of row groups into the batch of one step. One for a stream, used for all its
 * steps. Immutable and thread-safe.
 */
public final class Gather {

    private final BatchShape shape;
    private final int columns;
    private final RowLayout packing;
    private final RowGather rowGather;

    /**
     * @param wire as {@link Wire#schema} makes it
     */
    public Gather(Schema wire) {
        this.shape = BatchShape.of(wire);
        this.columns = Wire.dataColumns(wire);
        this.packing = new RowLayout(shape.columns().subList(0, columns));
        this.rowGather = new RowGather(packing);
    }

    /**
     * Lays the columns of a fixed width side by side, which makes gathering from the row group
     * several times as fast: to be done before it is stored. Takes as much memory again until it
     * returns. Without at least two such columns it gives the vectors back as they are.
     *
     * @param root the data's columns, by name; closed, or given back
     * @return vectors for {@link #source}, which the caller closes
     */
    public VectorSchemaRoot pack(VectorSchemaRoot root, BufferAllocator allocator) {
        return packing.worthwhile() ? RowPacking.pack(packing, root, allocator) : root;
    }

    /**
     * Looks up where the columns lie in a row group. It is to be made once for each pin and kept
     * beside it.
     *
     * @param root has the data's columns, by name, or what {@link #pack} made of them; it must stay
     *     as it is while the source is in use
     */
    public RowSource source(VectorSchemaRoot root) {
        return RowSource.of(shape, columns, packing, root);
    }

    /**
     * Copies rows in the order given.
     *
     * @param sources made by this gather, or by one of the same schema; all packed, or none
     * @param source by row of the batch, the index of its source
     * @param row by row of the batch, its row in that source
     * @param samples by row of the batch, its sample id
     * @param weights by row of the batch, 1, or 0 where it is padding
     * @param allocator gives the batch's memory, in one piece
     * @throws io.lockstep.UserException where a column would have more than 2 GiB of elements
     */
    public StepBatch gather(
            List<RowSource> sources,
            int[] source,
            int[] row,
            long[] samples,
            byte[] weights,
            BufferAllocator allocator) {
        check(sources, source, row, samples, weights);
        GatherPlan plan = new GatherPlan(shape, columns, sources, Selection.rows(source, row));
        BodyLayout layout = plan.layout(row.length);
        ArrowBuf body = allocator.buffer(layout.bytes());
        try {
            long address = body.memoryAddress();
            boolean packed = packed(sources);
            if (packed) {
                rowGather.copy(plan.packed(), plan.rows(), layout, address, allocator);
            }
            for (Node node : shape.nodes()) {
                if (plan.values(node) != null && !(packed && packing.contains(node))) {
                    copyColumn(plan, node, layout, address);
                }
            }
            copyOwn(layout, address, samples, weights);
            layout.clearGaps(address);
            return new StepBatch(layout.withNulls(countNulls(layout, address)), body);
        } catch (Throwable t) {
            body.close();
            throw t;
        }
    }

    private void copyColumn(GatherPlan plan, Node node, BodyLayout layout, long body) {
        Selection values = plan.values(node);
        if (layout.nulls(node) > 0) {
            long to = body + layout.offset(node.validityBuffer());
            BitGather.copy(plan.validity(node), values, to);
        }
        if (node.hasOffsets()) {
            long to = body + layout.offset(node.offsetsBuffer());
            ByteGather.copyOffsets(plan.offsets(node), values, to);
        }
        long to = body + layout.offset(node.dataBuffer());
        switch (node.kind()) {
            case BITS -> BitGather.copy(plan.data(node), values, to);
            case FIXED -> ByteGather.copy(plan.data(node), values, node.width(), to);
            case VARIABLE -> ByteGather.copy(plan.data(node), plan.bytes(node), 1, to);
            default -> {}
        }
    }

    private int[] countNulls(BodyLayout layout, long body) {
        int[] nulls = new int[shape.nodes().size()];
        for (Node node : shape.nodes()) {
            if (layout.nulls(node) > 0) {
                long validity = body + layout.offset(node.validityBuffer());
                nulls[node.index()] = (int) Bits.countZeros(validity, layout.values(node));
            }
        }
        return nulls;
    }

    private void copyOwn(BodyLayout layout, long body, long[] samples, byte[] weights) {
        int nodes = shape.nodes().size();
        long sample = body + layout.offset(shape.nodes().get(nodes - 2).dataBuffer());
        for (int i = 0; i < samples.length; i++) {
            MemoryUtil.putLong(sample + (long) i * Long.BYTES, samples[i]);
        }
        long weight = body + layout.offset(shape.nodes().get(nodes - 1).dataBuffer());
        MemoryUtil.copyToMemory(weights, 0, weight, weights.length);
    }

    private static boolean packed(List<RowSource> sources) {
        long packed = sources.stream().filter(source -> source.packed != 0).count();
        if (packed != 0 && packed != sources.size()) {
            throw new IllegalArgumentException(
                    packed + " of " + sources.size() + " sources are packed; pack all or none.");
        }
        return packed != 0;
    }

    /** What is not checked here would read foreign memory. */
    private void check(
            List<RowSource> sources, int[] source, int[] row, long[] samples, byte[] weights) {
        if (source.length != row.length
                || samples.length != row.length
                || weights.length != row.length) {
            throw new IllegalArgumentException(
                    "The batch's rows are given in arrays of different lengths: "
                            + List.of(source.length, row.length, samples.length, weights.length));
        }
        int[] rows = new int[sources.size()];
        for (int i = 0; i < rows.length; i++) {
            RowSource each = sources.get(i);
            if (each.shape() != shape && !each.shape().schema().equals(shape.schema())) {
                throw new IllegalArgumentException("A source was made for another schema.");
            }
            rows[i] = each.rows();
        }
        for (int i = 0; i < row.length; i++) {
            if (row[i] < 0 || row[i] >= rows[source[i]]) {
                throw new IndexOutOfBoundsException(
                        "Row " + row[i] + " of a source with " + rows[source[i]] + " rows");
            }
        }
    }
}
