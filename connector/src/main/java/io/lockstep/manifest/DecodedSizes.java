package io.lockstep.manifest;

import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.BufferLayout;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * How much memory columns take as Arrow vectors: computed for those of fixed width, looked up for
 * the others, whose size only the footers tell.
 */
final class DecodedSizes {

    private static final long ALIGNMENT = 64;
    private static final long OFFSET_BYTES = Integer.BYTES;

    private final List<Field> columns;

    /** By column of fixed width, the bits that a row takes in each of its buffers. */
    private final Map<String, long[]> bitsOfRow = new HashMap<>();

    private final Map<String, Integer> variable = new HashMap<>();
    private final long[][] variableBytes;

    DecodedSizes(List<Field> columns, long[][] variableBytes) {
        this.columns = columns;
        this.variableBytes = variableBytes;
        for (Field field : columns) {
            if (isFixed(field)) {
                bitsOfRow.put(field.getName(), bitsOfRow(field));
            }
        }
        for (Field field : variable(columns)) {
            variable.put(field.getName(), variable.size());
        }
    }

    /** The columns of variable size, in their order. */
    static List<Field> variable(List<Field> columns) {
        return columns.stream().filter(f -> !isFixed(f)).toList();
    }

    long[][] variableBytes() {
        return variableBytes;
    }

    long bytes(int rowGroup, long rows, Collection<String> names) {
        if (names.isEmpty()) {
            return columns.stream().mapToLong(f -> bytes(rowGroup, rows, f.getName())).sum();
        }
        return names.stream().mapToLong(n -> bytes(rowGroup, rows, n)).sum();
    }

    /** Without a look at types: it is asked for each of a million row groups. */
    private long bytes(int rowGroup, long rows, String name) {
        long[] bits = bitsOfRow.get(name);
        return bits != null ? fixedBytes(bits, rows) : variableBytes[rowGroup][variable.get(name)];
    }

    /** Whether the number of rows gives the size. */
    private static boolean isFixed(Field field) {
        return switch (field.getType().getTypeID()) {
            case Utf8, Binary, List -> false;
            case FixedSizeList -> isFixed(field.getChildren().get(0));
            default -> true;
        };
    }

    private static long fixedBytes(long[] bitsOfRow, long rows) {
        long bytes = 0;
        for (long bits : bitsOfRow) {
            bytes += bits(rows * bits);
        }
        return bytes;
    }

    /** The bits that a row takes in each buffer: in the validity bitmaps, then in the values. */
    private static long[] bitsOfRow(Field field) {
        List<Long> bits = new ArrayList<>();
        Field values = field;
        long places = 1;
        while (values.getType() instanceof ArrowType.FixedSizeList list) {
            bits.add(places);
            places *= list.getListSize();
            values = values.getChildren().get(0);
        }
        List<BufferLayout> layouts = TypeLayout.getTypeLayout(values.getType()).getBufferLayouts();
        bits.add(places);
        bits.add(places * layouts.get(layouts.size() - 1).getTypeBitWidth());
        return bits.stream().mapToLong(Long::longValue).toArray();
    }

    /** An estimate for one column chunk of a column of variable size. */
    static long estimate(FileColumn column, ColumnChunk chunk, long rows) {
        Field values = column.values();
        // A fixed-size list takes its places even where it is null.
        long places =
                column.isList()
                        ? Math.max(chunk.values(), rows * Math.max(0, column.fixedListSize()))
                        : rows;
        long bytes =
                isFixed(values)
                        ? fixedBytes(bitsOfRow(values), places)
                        : bits(places) + offsets(places) + aligned(contentBytes(chunk));
        return column.isList() ? bytes + bits(rows) + offsets(rows) : bytes;
    }

    /**
     * The bytes of all byte arrays. Where the writer did not say: without a dictionary no more than
     * the pages; with one, the pages are taken for one dictionary and bit-packed indices, whose
     * width tells how many entries there are at least, so how long they are on average.
     */
    private static long contentBytes(ColumnChunk chunk) {
        if (chunk.contentBytes() >= 0) {
            return chunk.contentBytes();
        }
        long pages = chunk.uncompressedBytes();
        if (!chunk.hasDictionary() || chunk.values() == 0 || chunk.compressedBytes() == 0) {
            return pages;
        }
        double compression = (double) pages / chunk.compressedBytes();
        double dictionary = (chunk.dataOffset() - chunk.dictionaryOffset()) * compression;
        double indexBits = Math.max(0, (pages - dictionary) * Byte.SIZE / chunk.values());
        double entries = Math.max(1, Math.pow(2, Math.min(indexBits, Integer.SIZE) - 1));
        return Math.max(pages, (long) (dictionary / entries * chunk.values()));
    }

    private static long bits(long places) {
        return aligned((places + Byte.SIZE - 1) / Byte.SIZE);
    }

    private static long offsets(long places) {
        return aligned((places + 1) * OFFSET_BYTES);
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
