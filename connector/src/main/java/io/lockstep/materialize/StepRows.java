package io.lockstep.materialize;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.RowSource;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import io.lockstep.cache.PinnedRowGroup;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.StepDigests;
import io.lockstep.order.Order;
import io.lockstep.order.StepPlan;
import io.lockstep.transform.StepSamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The rows of some lanes of one step, for commands: one row group is pinned at a time, and only row
 * groups that the step uses. Used by one thread at a time.
 */
public final class StepRows implements AutoCloseable {

    private final Content content;
    private final BufferAllocator allocator;
    private final int perLane;
    private final StepBatch batch;
    private boolean ownsAllocator;
    private final VectorSchemaRoot root;
    private final int padded;

    private StepRows(
            Content content, BufferAllocator allocator, int perLane, StepBatch batch, int padded) {
        this.content = content;
        this.allocator = allocator;
        this.perLane = perLane;
        this.batch = batch;
        this.root = withoutWeight(batch.root());
        this.padded = padded;
    }

    /** Reads the row groups into memory, without a store; see {@link #read}. */
    public static StepRows direct(Content content, Order order, long epoch, long step, int[] lanes)
            throws IOException {
        BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
        try {
            RowGroupSource rowGroups = new DirectRowGroups(content, allocator);
            StepRows rows = read(content, order, rowGroups, epoch, step, lanes, allocator);
            rows.ownsAllocator = true;
            return rows;
        } catch (IOException | RuntimeException e) {
            allocator.close();
            throw e;
        }
    }

    /**
     * Gathers the rows.
     *
     * @param rowGroups of the content
     * @param lanes in the order of their parts in the batch
     * @param allocator which the caller closes after the rows
     * @throws io.lockstep.order.NoSuchPlaceException if the epoch has no such step
     */
    public static StepRows read(
            Content content,
            Order order,
            RowGroupSource rowGroups,
            long epoch,
            long step,
            int[] lanes,
            BufferAllocator allocator)
            throws IOException {
        StepPlan plan = order.step(epoch, step);
        int perLane = order.settings().perLane();
        Map<Integer, List<Integer>> wanted = wanted(plan, lanes, perLane);
        Map<Integer, StepBatch> picked = new LinkedHashMap<>();
        Map<Integer, int[]> numbers = new LinkedHashMap<>();
        StepSamples samples = content.samples(order.settings(), epoch, lanes.length);
        try (StepSelection selection = new StepSelection(content.steps(), samples)) {
            for (Map.Entry<Integer, List<Integer>> group : wanted.entrySet()) {
                int[] rows = group.getValue().stream().mapToInt(row -> row).toArray();
                try (PinnedRowGroup pin = pin(rowGroups, group.getKey())) {
                    RowSource source = content.gather().source(pin.root());
                    numbers.put(group.getKey(), IntStream.of(rows).map(source::number).toArray());
                    picked.put(group.getKey(), pick(content.gather(), source, rows, allocator));
                }
            }
            int padded = select(plan, lanes, perLane, content, picked, numbers, selection);
            return new StepRows(content, allocator, perLane, selection.gather(allocator), padded);
        } finally {
            picked.values().forEach(StepBatch::close);
        }
    }

    /** The rows to take from each row group, in the order of the batch. */
    private static Map<Integer, List<Integer>> wanted(StepPlan plan, int[] lanes, int perLane) {
        Map<Integer, List<Integer>> wanted = new LinkedHashMap<>();
        for (int lane : lanes) {
            for (int place = 0; place < perLane; place++) {
                wanted.computeIfAbsent(plan.rowGroup(lane, place), group -> new ArrayList<>())
                        .add(plan.row(lane, place));
            }
        }
        return wanted;
    }

    private static PinnedRowGroup pin(RowGroupSource rowGroups, int rowGroup) throws IOException {
        try {
            return rowGroups.pin(rowGroup).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    private static StepBatch pick(
            Gather gather, RowSource source, int[] rows, BufferAllocator allocator) {
        return gather.gather(
                List.of(source),
                new int[rows.length],
                rows,
                new long[rows.length],
                new byte[rows.length],
                allocator);
    }

    /** Arranges the picked rows in the order of the batch; returns the number of padding rows. */
    private static int select(
            StepPlan plan,
            int[] lanes,
            int perLane,
            Content content,
            Map<Integer, StepBatch> picked,
            Map<Integer, int[]> numbers,
            StepSelection selection) {
        Map<Integer, RowSource> sources = new LinkedHashMap<>();
        picked.forEach((group, rows) -> sources.put(group, content.gather().source(rows.root())));
        Map<Integer, Integer> taken = new LinkedHashMap<>();
        int padded = 0;
        for (int lane : lanes) {
            for (int place = 0; place < perLane; place++) {
                int group = plan.rowGroup(lane, place);
                int row = taken.merge(group, 1, Integer::sum) - 1;
                // Picked rows are numbered from 0, so the selection adds their index.
                long first = content.dataset().firstSampleOf(group) - row;
                selection.add(
                        selection.source(group, sources.get(group)),
                        row,
                        first + numbers.get(group)[row],
                        plan.isPadding(lane, place));
                padded += plan.isPadding(lane, place) ? 1 : 0;
            }
        }
        return padded;
    }

    private static VectorSchemaRoot withoutWeight(VectorSchemaRoot root) {
        List<Field> fields = new ArrayList<>();
        List<FieldVector> vectors = new ArrayList<>();
        for (FieldVector vector : root.getFieldVectors()) {
            if (!vector.getName().equals(Wire.WEIGHT)) {
                fields.add(vector.getField());
                vectors.add(vector);
            }
        }
        return new VectorSchemaRoot(fields, vectors, root.getRowCount());
    }

    /** The columns and {@code _sample}; valid until {@link #close}. */
    public VectorSchemaRoot root() {
        return root;
    }

    /** Like {@code rows}, with {@code _weight}, which is 0 for padding. */
    public VectorSchemaRoot weighted() {
        return batch.root();
    }

    /** The number of padding rows. */
    public int padded() {
        return padded;
    }

    /** The digest of each lane's part, in the order of the batch. */
    public List<Digest128> digests() {
        List<Digest128> digests = new ArrayList<>();
        for (int from = 0; from < batch.rows(); from += perLane) {
            try (StepBatch lane = lane(from)) {
                digests.add(StepDigests.lane(lane));
            }
        }
        return digests;
    }

    private StepBatch lane(int from) {
        VectorSchemaRoot all = batch.root();
        UInt8Vector samples = (UInt8Vector) all.getVector(Wire.SAMPLE);
        UInt1Vector weights = (UInt1Vector) all.getVector(Wire.WEIGHT);
        Gather gather = content.served();
        byte[] weight = new byte[perLane];
        for (int i = 0; i < perLane; i++) {
            weight[i] = weights.get(from + i);
        }
        return gather.gather(
                List.of(gather.source(all)),
                new int[perLane],
                IntStream.range(from, from + perLane).toArray(),
                IntStream.range(from, from + perLane).mapToLong(samples::get).toArray(),
                weight,
                allocator);
    }

    @Override
    public void close() {
        batch.close();
        if (ownsAllocator) {
            allocator.close();
        }
    }
}
