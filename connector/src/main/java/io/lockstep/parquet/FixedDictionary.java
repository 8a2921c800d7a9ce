package io.lockstep.parquet;

import java.io.IOException;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * The dictionary of a chunk, with entries in the form of the Arrow buffer. Narrow entries are kept
 * in arrays, whose bounds checks detect invalid indices.
 */
abstract class FixedDictionary {

    private static final int BATCH = 1024;

    /** Opens a page of indices: one byte with the bit width, then the indices. */
    final FixedValues open(Region page) throws IOException {
        return page.length() == 0 ? FixedDictionary::none : new Lookup(page);
    }

    /** Writes the entries for the given indices. */
    abstract void copy(int[] indices, int count, long address) throws IOException;

    abstract int width();

    /**
     * @param entries must remain valid while the dictionary is in use
     */
    static FixedDictionary of(Region entries, int width) {
        return switch (width) {
            case Integer.BYTES -> new Ints(entries);
            case Long.BYTES -> new Longs(entries);
            default -> new Wide(entries, width);
        };
    }

    /** A page with only nulls stores no values at all. */
    private static void none(int count, long address) throws IOException {
        if (count > 0) {
            throw new IOException("a page lacks its indices");
        }
    }

    /** The values of a page. */
    private final class Lookup implements FixedValues {

        private final HybridReader indices;
        private final int[] batch = new int[BATCH];

        Lookup(Region page) throws IOException {
            int bits = MemoryUtil.getByte(page.address()) & 0xff;
            this.indices = new HybridReader(page.from(1), bits);
        }

        @Override
        public void read(int count, long address) throws IOException {
            long to = address;
            for (int left = count; left > 0; left -= BATCH) {
                int part = Math.min(left, BATCH);
                indices.read(batch, 0, part);
                copy(batch, part, to);
                to += (long) part * width();
            }
        }
    }

    /** Four-byte entries. */
    private static final class Ints extends FixedDictionary {

        private final int[] entries;

        Ints(Region region) {
            this.entries = new int[region.length() / Integer.BYTES];
            for (int i = 0; i < entries.length; i++) {
                entries[i] = MemoryUtil.getInt(region.address() + (long) i * Integer.BYTES);
            }
        }

        @Override
        int width() {
            return Integer.BYTES;
        }

        @Override
        void copy(int[] indices, int count, long address) {
            int[] from = entries;
            for (int i = 0; i < count; i++) {
                MemoryUtil.putInt(address + (long) i * Integer.BYTES, from[indices[i]]);
            }
        }
    }

    /** Eight-byte entries. */
    private static final class Longs extends FixedDictionary {

        private final long[] entries;

        Longs(Region region) {
            this.entries = new long[region.length() / Long.BYTES];
            for (int i = 0; i < entries.length; i++) {
                entries[i] = MemoryUtil.getLong(region.address() + (long) i * Long.BYTES);
            }
        }

        @Override
        int width() {
            return Long.BYTES;
        }

        @Override
        void copy(int[] indices, int count, long address) {
            long[] from = entries;
            for (int i = 0; i < count; i++) {
                MemoryUtil.putLong(address + (long) i * Long.BYTES, from[indices[i]]);
            }
        }
    }

    /** Entries of any other width. */
    private static final class Wide extends FixedDictionary {

        private final Region entries;
        private final int width;

        Wide(Region entries, int width) {
            this.entries = entries;
            this.width = width;
        }

        @Override
        int width() {
            return width;
        }

        @Override
        void copy(int[] indices, int count, long address) throws IOException {
            for (int i = 0; i < count; i++) {
                Region entry = entries.part(Math.multiplyExact(indices[i], width), width);
                MemoryUtil.copyMemory(entry.address(), address + (long) i * width, width);
            }
        }
    }
}
