package io.lockstep.cli.data;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.LaneBatch;
import io.lockstep.batch.RowSource;
import io.lockstep.batch.Wire;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.StepDigests;
import io.lockstep.order.StepPlan;
import io.lockstep.parquet.RowGroupReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of some lanes of a step, gathered as the source gathers them. One row group is in memory
 * at a time, and of each only the rows that the step takes.
 */
public final class StepRows implements AutoCloseable {

    private final BufferAllocator allocator;
    private final Gather gather;
    private final LaneBatch batch;
    private final VectorSchemaRoot root;
    private final Places places;

    private StepRows(BufferAllocator allocator, Gather gather, LaneBatch batch, Places places) {
        this.allocator = allocator;
        this.gather = gather;
        this.batch = batch;
        this.root = withoutWeight(batch.root());
        this.places = places;
    }

    /**
     * @param lanes whose parts follow each other in the batch
     */
    public static StepRows read(Dataset dataset, StepPlan plan, int[] lanes) throws IOException {
        BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
        try {
            RowGroupReader reader =
                    new RowGroupReader(dataset.manifest(), dataset.spec().columns());
            Places places = Places.of(plan, lanes, dataset.spec().order().perLane());
            Gather gather = new Gather(Wire.schema(reader.schema()));
            LaneBatch batch = gather(gather, reader, places, allocator);
            return new StepRows(allocator, gather, batch, places);
        } catch (IOException | RuntimeException e) {
            allocator.close();
            throw e;
        }
    }

    private static LaneBatch gather(
            Gather gather, RowGroupReader reader, Places places, BufferAllocator allocator)
            throws IOException {
        List<LaneBatch> parts = new ArrayList<>();
        try {
            List<RowSource> sources = new ArrayList<>();
            for (Map.Entry<Integer, List<Integer>> group : places.byRowGroup.entrySet()) {
                int[] rows = group.getValue().stream().mapToInt(i -> i).toArray();
                LaneBatch part = pick(gather, reader, group.getKey(), rows, allocator);
                parts.add(part);
                sources.add(gather.source(part.root()));
            }
            return gather.gather(
                    sources, places.source, places.row, places.sample, places.weight, allocator);
        } finally {
            parts.forEach(LaneBatch::close);
        }
    }

    /** The rows of one row group that are wanted. */
    private static LaneBatch pick(
            Gather gather,
            RowGroupReader reader,
            int rowGroup,
            int[] rows,
            BufferAllocator allocator)
            throws IOException {
        try (VectorSchemaRoot decoded = reader.read(rowGroup, allocator)) {
            return gather.gather(
                    List.of(gather.source(decoded)),
                    new int[rows.length],
                    rows,
                    new long[rows.length],
                    new byte[rows.length],
                    allocator);
        }
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

    public Schema schema() {
        return root.getSchema();
    }

    /** The columns and {@code _sample}; valid until {@link #close}. */
    public VectorSchemaRoot root() {
        return root;
    }

    /** The same with {@code _weight}, 0 where a row only fills up the step. */
    public VectorSchemaRoot weighted() {
        return batch.root();
    }

    /** How many rows only fill up the step. */
    public int padded() {
        return places.padded;
    }

    /** The digest of each lane's part, in the order of the batch. */
    public List<Digest128> digests() {
        List<Digest128> digests = new ArrayList<>();
        for (int from = 0; from < batch.rows(); from += places.perLane) {
            int end = from + places.perLane;
            try (LaneBatch lane =
                    gather.gather(
                            List.of(gather.source(batch.root())),
                            new int[places.perLane],
                            IntStream.range(from, end).toArray(),
                            Arrays.copyOfRange(places.sample, from, end),
                            Arrays.copyOfRange(places.weight, from, end),
                            allocator)) {
                digests.add(StepDigests.lane(lane));
            }
        }
        return digests;
    }

    @Override
    public void close() {
        batch.close();
        allocator.close();
    }

    /** For each place of the batch, where its row is among the rows picked. */
    private static final class Places {

        private final Map<Integer, List<Integer>> byRowGroup = new LinkedHashMap<>();
        private final int[] source;
        private final int[] row;
        private final long[] sample;
        private final byte[] weight;
        private int padded;

        private final int perLane;

        private Places(int lanes, int perLane) {
            int rows = lanes * perLane;
            this.perLane = perLane;
            source = new int[rows];
            row = new int[rows];
            sample = new long[rows];
            weight = new byte[rows];
        }

        static Places of(StepPlan plan, int[] lanes, int perLane) {
            Places places = new Places(lanes.length, perLane);
            Arrays.fill(places.weight, (byte) 1);
            Map<Integer, Integer> numbers = new LinkedHashMap<>();
            int at = 0;
            for (int lane : lanes) {
                for (int place = 0; place < perLane; place++, at++) {
                    int group = plan.rowGroup(lane, place);
                    List<Integer> picked =
                            places.byRowGroup.computeIfAbsent(group, key -> new ArrayList<>());
                    places.source[at] = numbers.computeIfAbsent(group, key -> numbers.size());
                    places.row[at] = picked.size();
                    picked.add(plan.row(lane, place));
                    places.sample[at] = plan.sample(lane, place);
                    if (plan.isPadding(lane, place)) {
                        places.weight[at] = 0;
                        places.padded++;
                    }
                }
            }
            return places;
        }
    }
}
