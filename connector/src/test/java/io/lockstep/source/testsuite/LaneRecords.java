package io.lockstep.source.testsuite;

import io.lockstep.dataset.EpochTable;
import io.lockstep.source.GroupStep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple4;

/** A step as a record that Flink can send anywhere: lane, epoch, step, and the rows as text. */
final class LaneRecords {

    /** The only column of the datasets. */
    static final String COLUMN = "x";

    static final int ROWS_OF_STEP = 3;
    static final int STEPS = 40;
    static final EpochTable TABLE = EpochTable.constant(STEPS, 1, "");
    static final int ROWS_OF_LANE = STEPS * ROWS_OF_STEP;

    static final TypeInformation<Tuple4<Integer, Long, Long, String>> TYPE =
            Types.TUPLE(Types.INT, Types.LONG, Types.LONG, Types.STRING);

    private LaneRecords() {}

    /** The record of a step. */
    static Tuple4<Integer, Long, Long, String> of(GroupStep step) {
        BigIntVector column = (BigIntVector) step.batch().root().getVector(COLUMN);
        long[] rows =
                LongStream.range(0, step.batch().rows()).map(i -> column.get((int) i)).toArray();
        return of(step.group().first().lane(), step.epoch(), step.step(), rows);
    }

    /** The expected records of one pass over a lane: its rows in file order. */
    static List<Tuple4<Integer, Long, Long, String>> pass(int lane, long epoch, long[] rows) {
        List<Tuple4<Integer, Long, Long, String>> records = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            long[] own = new long[ROWS_OF_STEP];
            System.arraycopy(rows, step * ROWS_OF_STEP, own, 0, ROWS_OF_STEP);
            records.add(of(lane, epoch, step, own));
        }
        return records;
    }

    private static Tuple4<Integer, Long, Long, String> of(
            int lane, long epoch, long step, long[] rows) {
        String text = LongStream.of(rows).mapToObj(Long::toString).collect(Collectors.joining(" "));
        return Tuple4.of(lane, epoch, step, text);
    }
}
