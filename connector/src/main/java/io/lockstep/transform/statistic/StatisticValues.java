package io.lockstep.transform.statistic;

import io.lockstep.transform.FittedValues;
import io.lockstep.transform.StatisticValue;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes and reads values of statistics of all types. */
public final class StatisticValues {

    /** The types by their number in what is written. */
    private static final List<Type> TYPES =
            List.of(
                    new Type(Moments.class, Moments::read),
                    new Type(Quantiles.class, Quantiles::read),
                    new Type(Categories.class, Categories::read),
                    new Type(CategoryTargets.class, CategoryTargets::read));

    private StatisticValues() {}

    /** Reads a value. */
    @FunctionalInterface
    private interface Reader {
        StatisticValue read(DataInput in) throws IOException;
    }

    private record Type(Class<?> of, Reader reader) {}

    /** Writes the values of a stream. */
    public static void write(FittedValues values, DataOutput out) throws IOException {
        out.writeInt(values.byTransform().size());
        for (var transform : values.byTransform().entrySet()) {
            out.writeUTF(transform.getKey());
            out.writeInt(transform.getValue().size());
            for (var column : transform.getValue().entrySet()) {
                out.writeUTF(column.getKey());
                write(column.getValue(), out);
            }
        }
    }

    private static void write(StatisticValue value, DataOutput out) throws IOException {
        List<Class<?>> types = TYPES.stream().<Class<?>>map(Type::of).toList();
        out.writeByte(types.indexOf(value.getClass()));
        value.write(out);
    }

    /** Reads what {@link #write} has written. */
    public static FittedValues read(DataInput in) throws IOException {
        Map<String, Map<String, StatisticValue>> byTransform = new LinkedHashMap<>();
        int transforms = in.readInt();
        for (int i = 0; i < transforms; i++) {
            Map<String, StatisticValue> byColumn = new LinkedHashMap<>();
            byTransform.put(in.readUTF(), byColumn);
            int columns = in.readInt();
            for (int j = 0; j < columns; j++) {
                String column = in.readUTF();
                byColumn.put(column, TYPES.get(in.readByte()).reader().read(in));
            }
        }
        return new FittedValues(byTransform);
    }
}
