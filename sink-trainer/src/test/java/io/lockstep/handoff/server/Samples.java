package io.lockstep.handoff.server;

import io.lockstep.batch.Gather;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows with pseudo-random content, a function of stream, lane, epoch and step. */
final class Samples {

    private static final List<ArrowType> FLAT =
            List.of(
                    new ArrowType.Bool(),
                    new ArrowType.Int(8, true),
                    new ArrowType.Int(16, false),
                    new ArrowType.Int(32, true),
                    new ArrowType.Int(64, false),
                    new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
                    new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
                    new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
                    new ArrowType.Decimal(20, 4, 128),
                    new ArrowType.Date(DateUnit.DAY),
                    new ArrowType.Time(TimeUnit.MICROSECOND, 64),
                    new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC"),
                    new ArrowType.Duration(TimeUnit.MILLISECOND),
                    new ArrowType.FixedSizeBinary(5),
                    new ArrowType.Utf8(),
                    new ArrowType.Binary());

    private Samples() {}

    /** A column of each type that a batch can hold, with nulls; and lists of some. */
    static Schema everyType() {
        List<Field> fields = new ArrayList<>();
        for (ArrowType type : FLAT) {
            fields.add(Field.nullable("c" + fields.size(), type));
        }
        for (ArrowType type : List.of(FLAT.get(0), FLAT.get(6), FLAT.get(14))) {
            fields.add(list("c" + fields.size(), new ArrowType.List(), type));
            fields.add(list("c" + fields.size(), new ArrowType.FixedSizeList(3), type));
        }
        fields.add(new Field("always", FieldType.notNullable(new ArrowType.Int(32, true)), null));
        return new Schema(fields);
    }

    private static Field list(String name, ArrowType list, ArrowType element) {
        return new Field(
                name,
                FieldType.nullable(list),
                List.of(Field.nullable(ListVector.DATA_VECTOR_NAME, element)));
    }

    /** One column of numbers: 8 bytes a row. */
    static Schema numbers() {
        return new Schema(
                List.of(
                        new Field(
                                "number",
                                FieldType.notNullable(new ArrowType.Int(64, true)),
                                null)));
    }

    /**
     * The batch of some lanes and a step; sample ids count from step * rows for each.
     *
     * @param positions by lane, the seed of its values
     */
    static StepBatch batch(
            Schema columns, List<?> positions, long step, int rows, BufferAllocator allocator) {
        int all = rows * positions.size();
        List<VectorSchemaRoot> roots = new ArrayList<>();
        try {
            for (Object position : positions) {
                VectorSchemaRoot root = VectorSchemaRoot.create(columns, allocator);
                roots.add(root);
                Random random = new Random(position.hashCode());
                for (FieldVector vector : root.getFieldVectors()) {
                    fill(vector, rows, random);
                }
                root.setRowCount(rows);
            }
            Gather gather = new Gather(Wire.schema(columns));
            byte[] weights = new byte[all];
            Arrays.fill(weights, (byte) 1);
            return gather.gather(
                    roots.stream().map(gather::source).toList(),
                    IntStream.range(0, all).map(row -> row / rows).toArray(),
                    IntStream.range(0, all).map(row -> row % rows).toArray(),
                    IntStream.range(0, all).mapToLong(row -> step * rows + row % rows).toArray(),
                    weights,
                    allocator);
        } finally {
            roots.forEach(VectorSchemaRoot::close);
        }
    }

    private static void fill(FieldVector vector, int rows, Random random) {
        vector.allocateNew();
        if (vector instanceof ListVector list) {
            for (int row = 0; row < rows; row++) {
                if (isNull(list, random)) {
                    list.setNull(row);
                } else {
                    list.startNewValue(row);
                    list.endValue(row, random.nextInt(4));
                }
            }
            list.setLastSet(rows - 1);
            fill(list.getDataVector(), list.getElementEndIndex(rows - 1), random);
        } else if (vector instanceof FixedSizeListVector list) {
            while (list.getValueCapacity() < rows) {
                list.reAlloc();
            }
            for (int row = 0; row < rows; row++) {
                if (isNull(list, random)) {
                    list.setNull(row);
                } else {
                    list.setNotNull(row);
                }
            }
            fill(list.getDataVector(), rows * list.getListSize(), random);
        } else if (vector instanceof BaseVariableWidthVector variable) {
            for (int row = 0; row < rows; row++) {
                if (!isNull(variable, random)) {
                    String text = Integer.toString(random.nextInt(), 36).repeat(random.nextInt(3));
                    variable.setSafe(row, text.getBytes(StandardCharsets.UTF_8));
                }
            }
        } else {
            BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
            fixed.allocateNew(Math.max(1, rows));
            byte[] bytes = new byte[(int) fixed.getDataBuffer().capacity()];
            random.nextBytes(bytes);
            fixed.getDataBuffer().setBytes(0, bytes);
            for (int row = 0; row < rows; row++) {
                if (isNull(fixed, random)) {
                    fixed.setNull(row);
                } else {
                    fixed.setIndexDefined(row);
                }
            }
        }
        vector.setValueCount(rows);
    }

    private static boolean isNull(FieldVector vector, Random random) {
        return vector.getField().isNullable() && random.nextInt(5) == 0;
    }
}
