package io.lockstep.transform.fitted;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.Elements;
import io.lockstep.transform.column.NumberType;
import io.lockstep.transform.column.Vectors;
import io.lockstep.transform.statistic.Categories;
import io.lockstep.transform.statistic.CategoriesOfColumn;
import io.lockstep.transform.statistic.CategoryType;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Replaces values by the share of the rows that have them. */
enum FrequencyFormula implements FittedFormula<Categories> {
    INSTANCE;

    @Override
    public Statistic statistic(Field column) {
        if (Elements.areLists(column)) {
            throw new TransformException(
                    "the column \"" + column.getName() + "\" has lists, which have no frequency");
        }
        return new CategoriesOfColumn(
                column.getName(), CategoryType.of(column), 1, Integer.MAX_VALUE);
    }

    @Override
    public Field replacement(Field column) {
        statistic(column);
        FieldType type = new FieldType(column.isNullable(), NumberType.FLOAT64.arrow(), null);
        return new Field(column.getName(), type, null);
    }

    @Override
    public FieldVector replace(
            FieldVector values, Field replacement, Categories counts, BufferAllocator allocator) {
        FieldVector made = Vectors.fixed(replacement, values.getValueCount(), allocator);
        Vectors.copyNulls(values, made);
        Categories.Lookup lookup = counts.lookup(values);
        boolean nulls = values.getNullCount() > 0;
        for (int row = 0; row < values.getValueCount(); row++) {
            if (!nulls || !values.isNull(row)) {
                int place = lookup.find(row);
                double share = place < 0 ? 0 : (double) counts.count(place) / counts.total();
                MemoryUtil.putLong(
                        made.getDataBufferAddress() + (long) row * Double.BYTES,
                        Double.doubleToRawLongBits(share));
            }
        }
        return made;
    }
}
