package io.lockstep.batch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
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

/** Random values for columns of every type that a batch can hold. */
public final class RandomRows {

    /** By name, every type with one value per row. */
    private static final List<ArrowType> FLAT =
            List.of(
                    new ArrowType.Bool(),
                    new ArrowType.Int(8, true),
                    new ArrowType.Int(16, true),
                    new ArrowType.Int(32, true),
                    new ArrowType.Int(64, true),
                    new ArrowType.Int(8, false),
                    new ArrowType.Int(16, false),
                    new ArrowType.Int(32, false),
                    new ArrowType.Int(64, false),
                    new ArrowType.FloatingPoint(FloatingPointPrecision.HALF),
                    new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE),
                    new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE),
                    new ArrowType.Decimal(20, 4, 128),
                    new ArrowType.Date(DateUnit.DAY),
                    new ArrowType.Time(TimeUnit.MILLISECOND, 32),
                    new ArrowType.Time(TimeUnit.MICROSECOND, 64),
                    new ArrowType.Timestamp(TimeUnit.MICROSECOND, null),
                    new ArrowType.Timestamp(TimeUnit.NANOSECOND, "UTC"),
                    new ArrowType.FixedSizeBinary(7),
                    new ArrowType.Utf8(),
                    new ArrowType.Binary());

    private static final ArrowType LIST = new ArrowType.List();

    private RandomRows() {}

    /**
     * Returns a schema with a column of each type, of lists and fixed-size lists of each type, and
     * nested lists.
     */
    public static Schema everyType() {
        List<Field> fields = new ArrayList<>();
        for (ArrowType type : FLAT) {
            String name = type.toString();
            fields.add(column(name, type));
            fields.add(column("list " + name, LIST, column("element", type)));
            fields.add(column("fixed " + name, fixed(5), column("element", type)));
        }
        Field strings = column("element", LIST, column("element", new ArrowType.Utf8()));
        fields.add(column("list of lists", LIST, strings));
        Field pairs = column("element", fixed(2), column("element", new ArrowType.Int(16, true)));
        fields.add(column("list of pairs", LIST, pairs));
        fields.add(column("three pairs", fixed(3), pairs));
        fields.add(column("two lists", fixed(2), strings));
        return new Schema(fields);
    }

    static Field column(String name, ArrowType type, Field... elements) {
        return new Field(name, FieldType.nullable(type), List.of(elements));
    }

    static ArrowType fixed(int listSize) {
        return new ArrowType.FixedSizeList(listSize);
    }

    /**
     * Returns random rows; some columns have no nulls, some have a few, and some have only nulls.
     */
    public static VectorSchemaRoot root(
            Schema schema, int rows, RandomGenerator random, BufferAllocator allocator) {
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        for (FieldVector vector : root.getFieldVectors()) {
            fill(vector, rows, random);
        }
        root.setRowCount(rows);
        return root;
    }

    /** Returns a value in a form that {@code equals} compares by content. */
    static Object comparable(Object value) {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
        if (value instanceof List<?> list) {
            List<Object> elements = new ArrayList<>();
            list.forEach(element -> elements.add(comparable(element)));
            return elements;
        }
        return value;
    }

    private static void fill(FieldVector vector, int count, RandomGenerator random) {
        double[] shares = {0, 0, 0.3, 1};
        double nullShare = shares[random.nextInt(shares.length)];
        vector.setInitialCapacity(Math.max(count, 1));
        vector.allocateNew();
        if (vector instanceof ListVector list) {
            fillList(list, count, random);
        } else if (vector instanceof FixedSizeListVector list) {
            fill(list.getDataVector(), count * list.getListSize(), random);
        } else if (vector instanceof BaseVariableWidthVector variable) {
            for (int i = 0; i < count; i++) {
                variable.setSafe(i, text(random).getBytes(StandardCharsets.UTF_8));
            }
        } else if (vector instanceof BitVector bits) {
            for (int i = 0; i < count; i++) {
                bits.set(i, random.nextInt(2));
            }
        } else {
            fillFixed((BaseFixedWidthVector) vector, count, random);
        }
        for (int i = 0; i < count; i++) {
            ArrowBuf validity = vector.getValidityBuffer();
            BitVectorHelper.setValidityBit(validity, i, random.nextDouble() < nullShare ? 0 : 1);
        }
        vector.setValueCount(count);
    }

    private static void fillList(ListVector list, int count, RandomGenerator random) {
        int end = 0;
        list.getOffsetBuffer().setInt(0, 0);
        for (int i = 0; i < count; i++) {
            end += random.nextInt(4);
            list.getOffsetBuffer().setInt((i + 1L) * Integer.BYTES, end);
        }
        list.setLastSet(count - 1);
        fill(list.getDataVector(), end, random);
    }

    /** Small numbers, which every type can represent, also as times of day and equal floats. */
    private static void fillFixed(BaseFixedWidthVector vector, int count, RandomGenerator random) {
        ArrowBuf data = vector.getDataBuffer();
        int width = vector.getTypeWidth();
        int low = Math.max(1, Math.min(3, width - 1));
        for (int i = 0; i < count * width; i++) {
            data.setByte(i, i % width < low ? random.nextInt(256) : 0);
        }
    }

    private static String text(RandomGenerator random) {
        return "aé漢😀 longer than a word".substring(0, random.nextInt(8)).replace("\ud83d", "");
    }
}
