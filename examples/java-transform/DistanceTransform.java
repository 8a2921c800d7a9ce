import io.lockstep.transform.RowGroupTransform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** Adds the distance from a point, (x, y), to the float64 columns x and y without nulls. */
public final class DistanceTransform implements RowGroupTransform {

    private final double x;
    private final double y;

    public DistanceTransform(Map<String, Object> parameters) {
        x = ((Number) parameters.getOrDefault("x", 0)).doubleValue();
        y = ((Number) parameters.getOrDefault("y", 0)).doubleValue();
    }

    @Override
    public String description() {
        return "DistanceTransform/1 " + x + " " + y; // raise the number whenever the result changes
    }

    @Override
    public Schema schema(Schema columns) {
        List<Field> fields = new ArrayList<>(columns.getFields());
        ArrowType type = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
        fields.add(Field.notNullable("distance", type));
        return new Schema(fields);
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        Float8Vector xs = (Float8Vector) rows.getVector("x");
        Float8Vector ys = (Float8Vector) rows.getVector("y");
        Schema schema = schema(rows.getSchema());
        Float8Vector made = (Float8Vector) schema.findField("distance").createVector(allocator);
        made.allocateNew(rows.getRowCount());
        for (int row = 0; row < rows.getRowCount(); row++) {
            made.set(row, Math.hypot(xs.get(row) - x, ys.get(row) - y));
        }
        made.setValueCount(rows.getRowCount());
        List<FieldVector> vectors = new ArrayList<>();
        for (FieldVector vector : rows.getFieldVectors()) {
            var pair = vector.getTransferPair(vector.getField(), allocator);
            pair.transfer(); // moves the buffers: nothing is copied
            vectors.add((FieldVector) pair.getTo());
        }
        vectors.add(made);
        return new VectorSchemaRoot(schema, vectors, rows.getRowCount());
    }
}
