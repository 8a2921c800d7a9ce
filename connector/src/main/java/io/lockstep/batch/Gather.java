package io.lockstep.batch;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Copies selected rows of row groups into the batch of a step. One instance serves all steps of a
 * stream. Immutable and thread-safe.
 */
public final class Gather {

    private final BatchShape shape;
    private final int columns;
    private final RowLayout packing;
    private final RowGather rowGather;

    /**
     * @param wire a schema created by {@link Wire#schema}
     */
    public Gather(Schema wire) {
        this.shape = BatchShape.of(wire);
        this.columns = Wire.dataColumns(wire);
        this.packing = new RowLayout(shape.columns().subList(0, columns));
        this.rowGather = new RowGather(packing);
    }

    /** The data's columns of a batch that this has gathered, without those of Lockstep's own. */
    public List<FieldVector> columns(VectorSchemaRoot batch) {
        return batch.getFieldVectors().subList(0, columns);
    }

    /** The bytes that align the columns of a batch without nulls, at most. */
    public long paddingBytes() {
        return Allocators.ALIGNMENT * shape.nodes().size();
    }

    /**
     * Stores the fixed-width columns row by row, which makes gathering from the row group several
     * times faster. Call it before the row group is stored. Needs the same amount of memory again
     * until it returns. Returns the vectors unchanged if fewer than two columns qualify.
     *
     * @param root the data's columns, by name; closed unless returned
     * @return vectors for {@link #source}, which the caller closes
     */
    public VectorSchemaRoot pack(VectorSchemaRoot root, BufferAllocator allocator) {
        return packing.isWorthwhile() ? RowPacking.pack(packing, root, allocator) : root;
    }

    /**
     * Resolves the addresses of the columns of a row group. Call it once per pin and keep the
     * result with the pin.
     *
     * @param root the data's columns, by name, or the result of {@link #pack}; must remain
     *     unchanged while the source is in use
     */
    public RowSource source(VectorSchemaRoot root) {
        return RowSource.of(shape, columns, packing, root);
    }

    /**
     * Copies rows in the given order.
     *
     * @param sources created by this gather, or one with the same schema; either all packed or none
     * @param source by row of the batch, the index of its source
     * @param row by row of the batch, the row within the source
     * @param samples by row of the batch, its sample id
     * @param weights by row of the batch, 1, or 0 for padding
     * @param allocator allocates the batch's memory as one buffer
     * @throws io.lockstep.UserException if a column would have more than 2 GiB of elements
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

    /** Validates everything that would otherwise cause reads of foreign memory. */
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
