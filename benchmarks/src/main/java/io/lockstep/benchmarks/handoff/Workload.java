package io.lockstep.benchmarks.handoff;

import io.lockstep.batch.Wire;
import io.lockstep.dataset.EpochTable;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.source.feedback.StreamInfo;
import java.util.List;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Batches of one column with 1,024 floats per row: 4,096 rows are 16 MiB.
 *
 * @param steps per epoch; all are held in memory before the first is requested
 */
record Workload(int steps, int epochs) {

    static final String STREAM = "train";

    private static final int LANES = 16;
    private static final int BATCH = 4096;
    private static final int FEATURES = 1024;

    int lanes() {
        return LANES;
    }

    int rowsPerLane() {
        return BATCH / LANES;
    }

    Schema columns() {
        ArrowType number = new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
        Field element = new Field(ListVector.DATA_VECTOR_NAME, FieldType.notNullable(number), null);
        FieldType list = FieldType.notNullable(new ArrowType.FixedSizeList(FEATURES));
        return new Schema(List.of(new Field("features", list, List.of(element))));
    }

    EpochTable table() {
        return EpochTable.constant(steps, (long) steps * BATCH, "none");
    }

    StreamInfo info() {
        return new StreamInfo(
                STREAM,
                Wire.schema(columns()).serializeAsMessage(),
                new OrderSettings(0, LANES, BATCH, 2, Shuffle.LANE, Tail.DROP),
                table(),
                epochs,
                "none",
                "none",
                "none");
    }
}
