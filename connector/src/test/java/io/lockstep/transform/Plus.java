package io.lockstep.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A transform whose only column is the sum of a 64-bit column and a constant.
 *
 * @param lost the number of rows that it drops from the end, which violates the contract
 */
public record Plus(String column, long number, int lost) implements RowGroupTransform {

    public Plus(String column, long number) {
        this(column, number, 0);
    }

    /** Creates a chain of these transforms, each under its description. */
    public static TransformChain chain(Plus... transforms) {
        return TransformChain.of(
                "train",
                Stream.of(transforms)
                        .map(each -> new NamedTransform(each.description(), each))
                        .toList());
    }

    @Override
    public String description() {
        return column + "+" + number;
    }

    @Override
    public Schema schema(Schema columns) {
        return new Schema(List.of(Field.nullable(description(), new ArrowType.Int(64, true))));
    }

    @Override
    public SizeEstimate size(Schema columns) {
        return (bytes, rows) -> bytes / 2;
    }

    @Override
    public VectorSchemaRoot apply(VectorSchemaRoot rows, BufferAllocator allocator) {
        BigIntVector from = (BigIntVector) rows.getVector(column);
        int count = from.getValueCount() - lost;
        BigIntVector sum = new BigIntVector(description(), allocator);
        sum.allocateNew(count);
        for (int i = 0; i < count; i++) {
            sum.set(i, from.get(i) + number);
        }
        sum.setValueCount(count);
        return new VectorSchemaRoot(new ArrayList<>(List.of(sum)));
    }
}
