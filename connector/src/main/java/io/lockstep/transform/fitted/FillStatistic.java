package io.lockstep.transform.fitted;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.Constant;
import io.lockstep.transform.column.DoubleValues;
import io.lockstep.transform.column.Elements;
import io.lockstep.transform.column.Filling;
import io.lockstep.transform.statistic.Categories;
import io.lockstep.transform.statistic.CategoriesOfColumn;
import io.lockstep.transform.statistic.CategoryType;
import io.lockstep.transform.statistic.Moments;
import io.lockstep.transform.statistic.MomentsOfColumn;
import io.lockstep.transform.statistic.Quantiles;
import io.lockstep.transform.statistic.QuantilesOfColumn;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Replaces nulls by a statistic of the other values of the column. */
enum FillStatistic implements FittedFormula<StatisticValue> {
    MEAN,
    MEDIAN,
    MOST_FREQUENT;

    @Override
    public Statistic statistic(Field column) {
        if (this == MOST_FREQUENT) {
            if (Elements.areLists(column)) {
                throw new TransformException(
                        "the column \""
                                + column.getName()
                                + "\" has lists, which cannot be filled");
            }
            return new CategoriesOfColumn(column.getName(), CategoryType.of(column), 1, 1);
        }
        DoubleValues.check(column);
        if (column.getType() instanceof ArrowType.Bool) {
            throw new TransformException(
                    "the column \""
                            + column.getName()
                            + "\" is of type bool, which cannot hold the "
                            + this
                            + ": fill it with most_frequent");
        }
        return this == MEAN
                ? new MomentsOfColumn(column.getName())
                : new QuantilesOfColumn(column.getName(), List.of(0.5));
    }

    @Override
    public Field replacement(Field column) {
        statistic(column);
        return new Field(column.getName(), FieldType.notNullable(column.getType()), null);
    }

    @Override
    public FieldVector replace(
            FieldVector values,
            Field replacement,
            StatisticValue fitted,
            BufferAllocator allocator) {
        Constant constant = constant(fitted, replacement.getType());
        return Filling.replace(values, replacement, constant, allocator);
    }

    private static Constant constant(StatisticValue fitted, ArrowType type) {
        if (fitted instanceof Categories categories) {
            Object value = categories.value(0);
            return value instanceof String text
                    ? Constant.text(text)
                    : type instanceof ArrowType.Bool
                            ? Constant.bool(value.equals(1L))
                            : Constant.number(value.toString());
        }
        double value =
                fitted instanceof Moments moments ? moments.mean() : ((Quantiles) fitted).get(0);
        return type instanceof ArrowType.Int
                ? Constant.number(Long.toString((long) Math.rint(value)))
                : Constant.number(Double.toString(value));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
