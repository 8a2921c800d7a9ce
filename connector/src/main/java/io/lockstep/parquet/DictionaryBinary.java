package io.lockstep.parquet;

import java.io.IOException;
import org.apache.arrow.memory.util.MemoryUtil;

/** Decodes dictionary-encoded byte arrays. */
final class DictionaryBinary implements BinaryValues {

    private static final int BATCH = 1024;

    private final BinaryBuffer dictionary;
    private final HybridReader indices;
    private final int[] batch = new int[BATCH];

    private DictionaryBinary(BinaryBuffer dictionary, HybridReader indices) {
        this.dictionary = dictionary;
        this.indices = indices;
    }

    /** Opens a page of indices: one byte with the bit width, then the indices. */
    static BinaryValues open(BinaryBuffer dictionary, Region page) throws IOException {
        if (page.length() == 0) {
            return DictionaryBinary::none;
        }
        int bits = MemoryUtil.getByte(page.address()) & 0xff;
        return new DictionaryBinary(dictionary, new HybridReader(page.from(1), bits));
    }

    /** A page with only nulls stores no values at all. */
    private static void none(int count, BinaryBuffer to) throws IOException {
        if (count > 0) {
            throw new IOException("a page lacks its indices");
        }
    }

    @Override
    public void read(int count, BinaryBuffer to) throws IOException {
        for (int left = count; left > 0; left -= BATCH) {
            int part = Math.min(left, BATCH);
            indices.read(batch, 0, part);
            for (int i = 0; i < part; i++) {
                int index = batch[i];
                if (index < 0 || index >= dictionary.count()) {
                    throw new IOException("a page has an index outside of its dictionary");
                }
                to.append(dictionary.address(index), dictionary.size(index));
            }
        }
    }
}
