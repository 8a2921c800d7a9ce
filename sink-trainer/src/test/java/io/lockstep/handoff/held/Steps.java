package io.lockstep.handoff.held;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import io.lockstep.dataset.EpochTable;
import io.lockstep.source.GroupStep;
import io.lockstep.source.split.LaneGroup;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Steps of one row without columns. */
final class Steps {

    static final EpochTable TABLE = EpochTable.constant(1000, 1000, "");

    private Steps() {}

    static GroupStep of(LaneGroup group, long position, Consumer<GroupStep> onClose) {
        BufferAllocator allocator = Allocators.root(1 << 20);
        Schema columns = new Schema(List.of());
        try (VectorSchemaRoot rows = VectorSchemaRoot.create(columns, allocator)) {
            rows.setRowCount(1);
            Gather gather = new Gather(Wire.schema(columns));
            StepBatch batch =
                    gather.gather(
                            List.of(gather.source(rows)),
                            new int[1],
                            new int[1],
                            new long[1],
                            new byte[1],
                            allocator);
            return new GroupStep(
                    group,
                    position,
                    TABLE.at(position),
                    batch,
                    null,
                    step -> {
                        allocator.close();
                        onClose.accept(step);
                    });
        }
    }
}
