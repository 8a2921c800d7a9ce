package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds columns that tell where others are null. */
final class MissingIndicatorTransform extends AddingTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<String> SUFFIX =
            Parameter.optional(
                    "suffix",
                    ParameterType.TEXT,
                    "_missing",
                    "What is appended to the name of the column.");

    static final Kind KIND =
            Kind.of(
                    "missing_indicator",
                    "Adds a uint8 column for each column: 1 where it is null, else 0. Place it before"
                            + " `fill`.",
                    List.of(ColumnKinds.COLUMNS, SUFFIX),
                    MissingIndicatorTransform::new);

    private final Columns columns;
    private final String suffix;

    private MissingIndicatorTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
        this.suffix = parameters.get(SUFFIX);
    }

    @Override
    List<Added> added(Schema schema) {
        FieldType type = FieldType.notNullable(NumberType.UINT8.arrow());
        return columns.in(schema).stream()
                .map(
                        column ->
                                new Added(
                                        new Field(column + suffix, type, null),
                                        (rows, field, allocator) ->
                                                indicator(
                                                        rows.getVector(column), field, allocator)))
                .toList();
    }

    private static FieldVector indicator(
            FieldVector column, Field field, BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(field, column.getValueCount(), allocator);
        if (column.getNullCount() > 0) {
            long to = made.getDataBufferAddress();
            for (int row = 0; row < column.getValueCount(); row++) {
                MemoryUtil.putByte(to + row, (byte) (column.isNull(row) ? 1 : 0));
            }
        }
        return made;
    }
}
