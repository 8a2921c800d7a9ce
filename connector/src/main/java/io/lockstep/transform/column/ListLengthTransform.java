package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds the lengths of lists. */
final class ListLengthTransform extends AddingTransform {

    private static final long serialVersionUID = 1L;

    static final Kind KIND =
            Kind.of(
                    "list_length",
                    "Adds an int32 column `COLUMN_length` with the number of elements of each list,"
                            + " nulls in it included. Null for a null list.",
                    List.of(ColumnKinds.COLUMNS),
                    ListLengthTransform::new);

    private final Columns columns;

    private ListLengthTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1);
        this.columns = new Columns(parameters.get(ColumnKinds.COLUMNS));
    }

    @Override
    List<Added> added(Schema schema) {
        return columns.in(schema).stream().map(schema::findField).map(this::added).toList();
    }

    private Added added(Field column) {
        Elements.checkLists(column);
        FieldType type = new FieldType(column.isNullable(), NumberType.INT32.arrow(), null);
        return new Added(
                new Field(column.getName() + "_length", type, null),
                (rows, field, allocator) ->
                        lengths(rows.getVector(column.getName()), field, allocator));
    }

    private static FieldVector lengths(FieldVector lists, Field field, BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(field, lists.getValueCount(), allocator);
        Vectors.copyNulls(lists, made);
        for (int row = 0; row < lists.getValueCount(); row++) {
            int length = Elements.end(lists, row) - Elements.start(lists, row);
            MemoryUtil.putInt(made.getDataBufferAddress() + (long) row * Integer.BYTES, length);
        }
        return made;
    }
}
