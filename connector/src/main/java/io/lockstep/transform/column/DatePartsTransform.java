package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds parts of dates as numbers. */
final class DatePartsTransform extends AddingTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<List<DatePart>> PARTS =
            Parameter.required(
                    "parts",
                    ParameterType.list(ParameterType.choice(DatePart.values())),
                    "The parts. A weekday is 0 on Mondays; months, days and quarters begin at 1.");

    static final Kind KIND =
            Kind.of(
                    "date_parts",
                    "Adds an int32 column `COLUMN_PART` for each part of a date or timestamp. A"
                            + " timestamp with a time zone is read in that zone, as pandas does."
                            + " Nulls stay null.",
                    List.of(ColumnKinds.COLUMNS, PARTS),
                    DatePartsTransform::new);

    private final Columns columns;
    private final List<DatePart> parts;

    private DatePartsTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
        this.parts = parameters.get(PARTS);
    }

    @Override
    List<Added> added(Schema schema) {
        List<Added> added = new ArrayList<>();
        for (String column : columns.in(schema)) {
            Field field = schema.findField(column);
            LocalTimes.check(field);
            FieldType type = new FieldType(field.isNullable(), NumberType.INT32.arrow(), null);
            for (DatePart part : parts) {
                added.add(
                        new Added(
                                new Field(column + "_" + part, type, null),
                                (rows, made, allocator) ->
                                        parts(rows.getVector(column), part, made, allocator)));
            }
        }
        return added;
    }

    private static FieldVector parts(
            FieldVector dates, DatePart part, Field field, BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(field, dates.getValueCount(), allocator);
        Vectors.copyNulls(dates, made);
        LocalTimes times = LocalTimes.of(dates);
        for (int row = 0; row < dates.getValueCount(); row++) {
            if (!dates.isNull(row)) {
                long to = made.getDataBufferAddress() + (long) row * Integer.BYTES;
                MemoryUtil.putInt(to, part.of(times.get(row)));
            }
        }
        return made;
    }
}
