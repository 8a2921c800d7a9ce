package io.lockstep.transform.column;

import io.lockstep.expression.BoundExpression;
import io.lockstep.expression.Expression;
import io.lockstep.expression.ExpressionException;
import io.lockstep.transform.RowGroupTransform;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Computes columns from expressions over others. */
final class ExprTransform implements RowGroupTransform {

    private static final long serialVersionUID = 1L;

    static final Kind KIND =
            new Kind(
                    "expr",
                    "Computes columns: `{COLUMN: EXPRESSION}`, such as `{ratio: \"f00 / (f01 + 1)\"}`,"
                            + " in the [language of expressions](expressions.md). A column that exists"
                            + " is replaced, another is added at the end. Each expression sees the"
                            + " columns as they were before the transform.",
                    List.of(),
                    ExprTransform::new);

    private final String description;
    private final LinkedHashMap<String, Expression> expressions = new LinkedHashMap<>();

    private ExprTransform(TransformSpec spec) {
        this.description = Identity.of(spec, 1);
        Parameters.whole(spec, ParameterType.TEXTS)
                .forEach((column, text) -> expressions.put(column, parse(column, text)));
    }

    private static Expression parse(String column, String text) {
        try {
            return Expression.parse(text);
        } catch (ExpressionException e) {
            throw failed(column, e);
        }
    }

    private static TransformException failed(String column, ExpressionException e) {
        return new TransformException("the column \"" + column + "\": " + e.getMessage(), e);
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Schema schema(Schema schema) {
        Map<String, Field> fields = new LinkedHashMap<>();
        schema.getFields().forEach(field -> fields.put(field.getName(), field));
        expressions.forEach(
                (column, expression) ->
                        fields.put(column, bind(column, expression, schema).field(column)));
        return new Schema(fields.values(), schema.getCustomMetadata());
    }

    private static BoundExpression bind(String column, Expression expression, Schema schema) {
        try {
            return expression.bind(schema);
        } catch (ExpressionException e) {
            throw failed(column, e);
        }
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Schema schema = schema(rows.getSchema());
        Map<String, FieldVector> computed = new LinkedHashMap<>();
        List<FieldVector> vectors = new ArrayList<>();
        try {
            for (Map.Entry<String, Expression> each : expressions.entrySet()) {
                computed.put(each.getKey(), compute(each, rows, allocator));
            }
            for (Field field : schema.getFields()) {
                FieldVector made = computed.remove(field.getName());
                vectors.add(
                        made == null
                                ? Vectors.move(rows.getVector(field.getName()), allocator)
                                : made);
            }
            return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
        } catch (Throwable t) {
            computed.values().forEach(FieldVector::close);
            Vectors.close(vectors);
            throw t;
        }
    }

    private static FieldVector compute(
            Map.Entry<String, Expression> each, VectorSchemaRoot rows, BufferAllocator allocator) {
        String column = each.getKey();
        try {
            return bind(column, each.getValue(), rows.getSchema())
                    .evaluate(rows, column, allocator);
        } catch (ExpressionException e) {
            throw failed(column, e);
        }
    }
}
