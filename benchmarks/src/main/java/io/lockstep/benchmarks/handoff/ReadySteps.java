package io.lockstep.benchmarks.handoff;

import io.lockstep.batch.Gather;
import io.lockstep.batch.RowSource;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import io.lockstep.dataset.EpochTable;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Steps of all groups, made before they are requested, so that only their hand-off is measured. Not
 * thread-safe.
 */
final class ReadySteps implements AutoCloseable {

    private final Workload workload;
    private final BufferAllocator allocator;
    private final VectorSchemaRoot rows;
    private final Gather gather;
    private final Map<LaneGroup, Queue<GroupStep>> ready = new HashMap<>();
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

    /**
     * The next wanted steps of a group; its first request of an epoch makes all steps of that
     * epoch.
     */
    List<GroupStep> take(Want want) {
        if (!workload.table().at(want.from()).equals(epoch)) {
            closeAll();
            epoch = workload.table().at(want.from());
        }
        Queue<GroupStep> steps = ready.computeIfAbsent(want.group(), this::makeAll);
        List<GroupStep> taken = new ArrayList<>();
        while (!steps.isEmpty() && steps.peek().position() < want.upTo()) {
            taken.add(steps.poll());
        }
        return taken;
    }

    private Queue<GroupStep> makeAll(LaneGroup group) {
        Queue<GroupStep> steps = new ArrayDeque<>();
        for (long position = epoch.first(); position < epoch.end(); position++) {
            StepBatch batch = batch(group.lanes().size());
            steps.add(new GroupStep(group, position, epoch, batch, null, gone -> {}));
        }
        return steps;
    }

    private StepBatch batch(int lanes) {
        int ofLane = rows.getRowCount();
        int count = lanes * ofLane;
        byte[] weights = new byte[count];
        Arrays.fill(weights, (byte) 1);
        RowSource source = gather.source(rows);
        return gather.gather(
                List.of(source),
                new int[count],
                IntStream.range(0, count).map(row -> row % ofLane).toArray(),
                new long[count],
                weights,
                allocator);
    }

    private void closeAll() {
        ready.values().forEach(steps -> steps.forEach(GroupStep::close));
        ready.clear();
    }

    @Override
    public void close() {
        closeAll();
        rows.getFieldVectors().forEach(FieldVector::close);
    }
}
