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
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Field;

/** Makes lists of numbers equally long. */
final class PadTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    /** What happens to longer lists. */
    private enum Longer {
        REFUSE,
        FIRST,
        LAST
    }

    private static final Parameter<Integer> LENGTH =
            Parameter.required("length", ParameterType.integer(1), "The length of all lists.");
    private static final Parameter<Double> VALUE =
            Parameter.optional(
                    "value", ParameterType.NUMBER, 0.0, "The number to append; default: 0.");
    private static final Parameter<Longer> LONGER =
            Parameter.optional(
                    "longer",
                    ParameterType.choice(Longer.values()),
                    Longer.REFUSE,
                    "What to do with a longer list: `refuse` (the default) fails the run; `first` and"
                            + " `last` keep so many of its elements.");

    static final Kind KIND =
            Kind.of(
                    "pad",
                    "Makes lists of numbers equally long by a number appended to shorter ones, so that"
                            + " a batch holds them as a tensor [rows, length]. A null list becomes"
                            + " that number throughout, as does a null element.",
                    List.of(ColumnKinds.COLUMNS, LENGTH, VALUE, LONGER),
                    PadTransform::new);

    private final int length;
    private final double value;
    private final Longer longer;

    private PadTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
        this.length = parameters.get(LENGTH);
        this.value = parameters.get(VALUE);
        this.longer = parameters.get(LONGER);
    }

    @Override
    protected Field replacement(Field column) {
        Elements.checkLists(column);
        Field element = Elements.of(column);
        NumberType type = type(column, element);
        if (!type.holds(value)) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" has elements of type "
                            + type
                            + ", which cannot hold "
                            + value);
        }
        return FixedLists.field(column.getName(), length, type);
    }

    private static NumberType type(Field column, Field element) {
        if (!DoubleValues.accepts(element) || type(element) == NumberType.BOOL) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" has elements of type "
                            + TypeNames.of(element)
                            + ", and this transform needs numbers");
        }
        return type(element);
    }

    private static NumberType type(Field element) {
        return NumberType.of(element.getType());
    }

    @Override
    protected FieldVector replace(FieldVector lists, Field replacement, BufferAllocator allocator) {
        int rows = lists.getValueCount();
        FixedSizeListVector made = FixedLists.create(replacement, rows, allocator);
        try {
            FieldVector elements = Elements.elements(lists);
            NumberWriter writer = NumberWriter.of(type(elements.getField()));
            int width = writer.width();
            long from = elements.getDataBufferAddress();
            long to = made.getDataVector().getDataBufferAddress();
            for (int row = 0; row < rows; row++) {
                int start = start(lists, row);
                int count = lists.isNull(row) ? 0 : Elements.end(lists, row) - start;
                for (int i = 0; i < length; i++, to += width) {
                    if (i < count && !elements.isNull(start + i)) {
                        MemoryUtil.copyMemory(from + (long) (start + i) * width, to, width);
                    } else {
                        writer.put(to, value);
                    }
                }
            }
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }

    /** Returns the index of the first element that is kept. */
    private int start(FieldVector lists, int row) {
        int start = Elements.start(lists, row);
        int count = Elements.end(lists, row) - start;
        if (count <= length || lists.isNull(row)) {
            return start;
        }
        if (longer == Longer.REFUSE) {
            throw new TransformException(
                    String.format(
                            "the column \"%s\" has a list of %,d elements in row %d of a row group,"
                                    + " above 'length', %,d; set 'longer'",
                            lists.getField().getName(), count, row, length));
        }
        return longer == Longer.FIRST ? start : start + count - length;
    }
}
