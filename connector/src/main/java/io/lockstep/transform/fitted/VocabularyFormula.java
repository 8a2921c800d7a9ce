package io.lockstep.transform.fitted;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.column.Elements;
import io.lockstep.transform.column.NumberType;
import io.lockstep.transform.column.ValueHash;
import io.lockstep.transform.statistic.Categories;
import io.lockstep.transform.statistic.CategoriesOfColumn;
import io.lockstep.transform.statistic.CategoryType;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Replaces values by their place in the vocabulary.
 *
 * @param oov how many codes, from 0 on, stand for other values
 */
record VocabularyFormula(long minCount, int maxSize, int oov) implements FittedFormula<Categories> {

    @Override
    public Statistic statistic(Field column) {
        ValueHash.check(column.getName(), Elements.of(column));
        return new CategoriesOfColumn(column.getName(), CategoryType.of(column), minCount, maxSize);
    }

    @Override
    public Field replacement(Field column) {
        statistic(column);
        return Elements.retyped(column, NumberType.INT64.arrow());
    }

    @Override
    public FieldVector replace(
            FieldVector values,
            Field replacement,
            Categories vocabulary,
            BufferAllocator allocator) {
        return Elements.map(
                values,
                replacement,
                (from, to) -> fill(replacement.getName(), from, to, vocabulary),
                allocator);
    }

    private void fill(String column, FieldVector from, FieldVector to, Categories vocabulary) {
        Categories.Lookup lookup = vocabulary.lookup(from);
        ValueHash hashes = ValueHash.of(from);
        long address = to.getDataBufferAddress();
        boolean nulls = from.getNullCount() > 0;
        for (int i = 0; i < from.getValueCount(); i++) {
            if (!nulls || !from.isNull(i)) {
                int place = lookup.find(i);
                long code = place < 0 ? other(column, from, hashes, i) : (long) place + oov;
                MemoryUtil.putLong(address + (long) i * Long.BYTES, code);
            }
        }
    }

    private long other(String column, FieldVector from, ValueHash hashes, int index) {
        if (oov == 0) {
            throw new TransformException(
                    String.format(
                            "the column \"%s\" has the value '%s', which is not in its vocabulary:"
                                    + " give codes to such values with 'oov: 1'",
                            column, from.getObject(index)));
        }
        return oov == 1 ? 0 : ValueHash.bucket(hashes.hash(index), oov);
    }
}
