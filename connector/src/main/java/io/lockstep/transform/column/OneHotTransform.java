package io.lockstep.transform.column;

import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/** Replaces codes, or lists of codes, by vectors of zeros with ones at these places. */
final class OneHotTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    private static final Parameter<Integer> SIZE =
            Parameter.required(
                    "size", ParameterType.integer(1), "The number of codes, which begin at 0.");
    private static final Parameter<NumberType> TYPE =
            Parameter.optional(
                    "type",
                    ParameterType.choice(NumberType.ofBytes()),
                    NumberType.FLOAT32,
                    "The type of its values; default: float32.");

    static final Kind ONE_HOT =
            Kind.of(
                    "one_hot",
                    "Replaces codes from 0 to size - 1, such as those of `vocabulary` or `hash`, by a"
                            + " tensor [rows, size] with a 1 at the place of the code. A null becomes"
                            + " zeros. Another code fails the run, with its column and row.",
                    List.of(ColumnKinds.COLUMNS, SIZE, TYPE),
                    (spec, parameters) -> new OneHotTransform(spec, parameters, false));

    static final Kind MULTI_HOT =
            Kind.of(
                    "multi_hot",
                    "Replaces lists of codes by a tensor [rows, size] with a 1 at the place of each"
                            + " code of the list, however often it occurs. A null or an empty list"
                            + " becomes zeros. Another code fails the run, with its column and row.",
                    List.of(ColumnKinds.COLUMNS, SIZE, TYPE),
                    (spec, parameters) -> new OneHotTransform(spec, parameters, true));

    private final int size;
    private final NumberType type;
    private final boolean lists;

    private OneHotTransform(TransformSpec spec, Parameters parameters, boolean lists) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
        this.size = parameters.get(SIZE);
        this.type = parameters.get(TYPE);
        this.lists = lists;
    }

    @Override
    protected Field replacement(Field column) {
        boolean codes = Elements.of(column).getType() instanceof ArrowType.Int;
        if (!codes || Elements.areLists(column) != lists) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", and this transform needs "
                            + (lists ? "lists of whole numbers" : "whole numbers"));
        }
        return FixedLists.field(column.getName(), size, type);
    }

    @Override
    protected FieldVector replace(
            FieldVector values, Field replacement, BufferAllocator allocator) {
        int rows = values.getValueCount();
        FixedSizeListVector made = FixedLists.create(replacement, rows, allocator);
        try {
            FieldVector codes = lists ? Elements.elements(values) : values;
            LongValues numbers = LongValues.of(codes);
            NumberWriter writer = NumberWriter.of(type);
            long address = made.getDataVector().getDataBufferAddress();
            for (int row = 0; row < rows; row++) {
                if (values.isNull(row)) {
                    continue;
                }
                int end = lists ? Elements.end(values, row) : row + 1;
                for (int i = lists ? Elements.start(values, row) : row; i < end; i++) {
                    if (!codes.isNull(i)) {
                        long place = checked(numbers.get(i), replacement, row);
                        writer.put(address + ((long) row * size + place) * writer.width(), 1L);
                    }
                }
            }
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    private long checked(long code, Field column, int row) {
        if (code < 0 || code >= size) {
            throw new TransformException(
                    String.format(
                            "the column \"%s\" has the code %d in row %d of a row group, which is not"
                                    + " from 0 to %d",
                            column.getName(), code, row, size - 1));
        }
        return code;
    }
}
