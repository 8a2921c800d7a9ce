package io.lockstep.transform.column;

import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds the sine and cosine of numbers that return to their start, such as hours. */
final class CyclicTransform extends AddingTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<Double> PERIOD =
            Parameter.required(
                    "period",
                    ParameterType.NUMBER,
                    "After how much the values start again, such as 24 for hours.");

    static final Kind KIND =
            Kind.of(
                    "cyclic",
                    "Adds the float32 columns `COLUMN_sin` and `COLUMN_cos`: `sin(2 pi x / period)` and"
                            + " `cos(2 pi x / period)` as fdlibm computes them. Nulls stay null.",
                    List.of(ColumnKinds.COLUMNS, PERIOD),
                    CyclicTransform::new);

    private final Columns columns;
    private final double period;

    private CyclicTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
        this.period = parameters.get(PERIOD);
        if (!(period > 0)) {
            throw new TransformException("'period' is " + period + "; it must be above 0");
        }
    }

    @Override
    List<Added> added(Schema schema) {
        List<Added> added = new ArrayList<>();
        for (String column : columns.in(schema)) {
            Field field = schema.findField(column);
            DoubleValues.check(field);
            added.add(added(field, "_sin", StrictMath::sin));
            added.add(added(field, "_cos", StrictMath::cos));
        }
        return added;
    }

    private Added added(Field column, String suffix, DoubleUnaryOperator function) {
        FieldType type = new FieldType(column.isNullable(), NumberType.FLOAT32.arrow(), null);
        return new Added(
                new Field(column.getName() + suffix, type, null),
                (rows, field, allocator) ->
                        waves(rows.getVector(column.getName()), function, field, allocator));
    }

    private FieldVector waves(
            FieldVector column,
            DoubleUnaryOperator function,
            Field field,
            BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(field, column.getValueCount(), allocator);
        Vectors.copyNulls(column, made);
        DoubleValues values = DoubleValues.of(column);
        for (int row = 0; row < column.getValueCount(); row++) {
            double angle = 2 * Math.PI * values.get(row) / period;
            int bits = Float.floatToRawIntBits((float) function.applyAsDouble(angle));
            MemoryUtil.putInt(made.getDataBufferAddress() + (long) row * Float.BYTES, bits);
        }
        return made;
    }
}
