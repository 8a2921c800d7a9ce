package io.lockstep.transform.column;

import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Limits the length of lists. */
final class TruncateTransform extends ColumnTransform {

    private static final long serialVersionUID = 1L;

    /** The elements that are kept. */
    private enum Keep {
        FIRST,
        LAST
    }

    private static final Parameter<Integer> LENGTH =
            Parameter.required("length", ParameterType.integer(0), "The greatest length.");
    private static final Parameter<Keep> KEEP =
            Parameter.optional(
                    "keep",
                    ParameterType.choice(Keep.values()),
                    Keep.FIRST,
                    "Which elements of a longer list to keep; default: first.");

    static final Kind KIND =
            Kind.of(
                    "truncate",
                    "Keeps the first or last elements of longer lists. Nulls stay null.",
                    List.of(ColumnKinds.COLUMNS, LENGTH, KEEP),
                    TruncateTransform::new);

    private final int length;
    private final Keep keep;

    private TruncateTransform(TransformSpec spec, Parameters parameters) {
        super(spec, 1, parameters.get(ColumnKinds.COLUMNS));
        this.length = parameters.get(LENGTH);
        this.keep = parameters.get(KEEP);
    }

    @Override
    protected Field replacement(Field column) {
        Elements.checkLists(column);
        Field element = Elements.of(column);
        return new Field(
                column.getName(),
                new FieldType(column.isNullable(), new ArrowType.List(), null),
                List.of(element));
    }

    @Override
    protected FieldVector replace(FieldVector lists, Field replacement, BufferAllocator allocator) {
        ListVector made = (ListVector) replacement.createVector(allocator);
        try {
            int rows = lists.getValueCount();
            FieldVector from = Elements.elements(lists);
            FieldVector to = made.getDataVector();
            made.setInitialCapacity(rows);
            made.allocateNew();
            int next = 0;
            for (int row = 0; row < rows; row++) {
                if (lists.isNull(row)) {
                    continue;
                }
                int end = Elements.end(lists, row);
                int start = Elements.start(lists, row);
                int kept = Math.min(length, end - start);
                int first = keep == Keep.FIRST ? start : end - kept;
                made.startNewValue(row);
                for (int i = 0; i < kept; i++) {
                    to.copyFromSafe(first + i, next++, from);
                }
                made.endValue(row, kept);
            }
            made.setValueCount(rows);
            return made;
        } catch (Throwable t) {
            made.close();
            throw t;
        }
    }
}
