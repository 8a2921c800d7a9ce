package io.lockstep.benchmarks.handoff;

import io.lockstep.batch.Gather;
import io.lockstep.batch.LaneBatch;
import io.lockstep.batch.RowSource;
import io.lockstep.batch.Wire;
import io.lockstep.dataset.EpochTable;
import io.lockstep.source.LaneStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Steps of all lanes that were made before anybody asks for them, so that nothing but their
 * hand-off is left to be measured. Not thread-safe.
 */
final class ReadySteps implements AutoCloseable {

    private final Workload workload;
    private final BufferAllocator allocator;
    private final VectorSchemaRoot rows;
    private final Gather gather;
    private final Map<LaneSplit, Queue<LaneStep>> ready = new TreeMap<>();
    private EpochTable.Epoch epoch;

    ReadySteps(Workload workload, BufferAllocator allocator) {
        this.workload = workload;
        this.allocator = allocator;
        Schema columns = workload.columns();
        this.rows = VectorSchemaRoot.create(columns, allocator);
        this.gather = new Gather(Wire.schema(columns));
        fill((FixedSizeListVector) rows.getVector(0));
        rows.setRowCount(workload.rowsPerLane());
    }

    private void fill(FixedSizeListVector list) {
        int count = workload.rowsPerLane();
        list.setInitialCapacity(count);
        list.allocateNew();
        Float4Vector values = (Float4Vector) list.getChildrenFromFields().get(0);
        values.allocateNew(count * list.getListSize());
        for (int row = 0; row < count; row++) {
            list.setNotNull(row);
        }
        for (int i = 0; i < count * list.getListSize(); i++) {
            values.set(i, i);
        }
        values.setValueCount(count * list.getListSize());
        list.setValueCount(count);
    }

    /** The next steps of a lane that are wanted; the first want of an epoch makes all its steps. */
    List<LaneStep> take(Want want) {
        if (!workload.table().at(want.from()).equals(epoch)) {
            makeAll(want);
        }
        Queue<LaneStep> lane = ready.get(want.split());
        List<LaneStep> taken = new ArrayList<>();
        while (!lane.isEmpty() && lane.peek().position() < want.upTo()) {
            taken.add(lane.poll());
        }
        return taken;
    }

    private void makeAll(Want want) {
        closeAll();
        epoch = workload.table().at(want.from());
        for (int lane = 0; lane < workload.lanes(); lane++) {
            LaneSplit split = new LaneSplit(want.split().stream(), lane);
            Queue<LaneStep> steps = new ArrayDeque<>();
            for (long position = epoch.first(); position < epoch.end(); position++) {
                steps.add(
                        new LaneStep(
                                split,
                                want.generation(),
                                position,
                                epoch,
                                batch(),
                                null,
                                gone -> {}));
            }
            ready.put(split, steps);
        }
    }

    private LaneBatch batch() {
        int count = rows.getRowCount();
        byte[] weights = new byte[count];
        Arrays.fill(weights, (byte) 1);
        RowSource source = gather.source(rows);
        return gather.gather(
                List.of(source),
                new int[count],
                IntStream.range(0, count).toArray(),
                new long[count],
                weights,
                allocator);
    }

    private void closeAll() {
        ready.values().forEach(steps -> steps.forEach(LaneStep::close));
        ready.clear();
    }

    @Override
    public void close() {
        closeAll();
        rows.getFieldVectors().forEach(FieldVector::close);
    }
}
