package io.lockstep.transform.fitted;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.Elements;
import io.lockstep.transform.column.NumberType;
import io.lockstep.transform.column.Vectors;
import io.lockstep.transform.statistic.Categories;
import io.lockstep.transform.statistic.CategoryTargets;
import io.lockstep.transform.statistic.CategoryType;
import io.lockstep.transform.statistic.TargetsOfColumn;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Replaces values by the smoothed mean of a target over the rows that have them. */
record TargetFormula(String target, double smooth) implements FittedFormula<CategoryTargets> {

    @Override
    public Statistic statistic(Field column) {
        CategoryType.of(column);
        if (Elements.areLists(column) || column.getName().equals(target)) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" has lists or is the target, and cannot be encoded");
        }
        return new TargetsOfColumn(column.getName(), target);
    }

    @Override
    public Field replacement(Field column) {
        statistic(column);
        FieldType type = FieldType.notNullable(NumberType.FLOAT64.arrow());
        return new Field(column.getName(), type, null);
    }

    @Override
    public FieldVector replace(
            FieldVector values,
            Field replacement,
            CategoryTargets fitted,
            BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(replacement, values.getValueCount(), allocator);
        Categories.Lookup lookup = fitted.lookup(values);
        double mean = fitted.mean();
        for (int row = 0; row < values.getValueCount(); row++) {
            int place = values.isNull(row) ? -1 : lookup.find(row);
            double encoded =
                    place < 0
                            ? mean
                            : (fitted.sum(place) + smooth * mean) / (fitted.count(place) + smooth);
            MemoryUtil.putLong(
                    made.getDataBufferAddress() + (long) row * Double.BYTES,
                    Double.doubleToRawLongBits(encoded));
        }
        return made;
    }
}
