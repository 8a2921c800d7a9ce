package io.lockstep.manifest;

import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import java.nio.charset.StandardCharsets;
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
 * Estimates how much memory columns take as Arrow vectors. The size is computed for fixed-width
 * columns and looked up for the others, whose size is known only from the footers.
 */
final class DecodedSizes {

    private static final long ALIGNMENT = 64;
    private static final long OFFSET_BYTES = Integer.BYTES;

    private final List<Field> columns;

    /** For each fixed-width column, the bits per row in each of its buffers. */
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

    /** Returns the variable-size columns, in order. */
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

    /** Avoids inspecting types, because it is called for each of up to a million row groups. */
    private long bytes(int rowGroup, long rows, String name) {
        long[] bits = bitsOfRow.get(name);
        return bits != null ? fixedBytes(bits, rows) : variableBytes[rowGroup][variable.get(name)];
    }

    /** Returns whether the size follows from the number of rows. */
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

    /** Returns the bits per row in each buffer: first the validity bitmaps, then the values. */
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

    /** Estimates the size of one column chunk of a variable-size column. */
    static long estimate(FileColumn column, ColumnChunk chunk, long rows) {
        Field values = column.values();
        // A fixed-size list occupies its places even if it is null.
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

    /** Returns the size of a variable-size column without values. */
    static long ofNulls(Field field, long rows) {
        long places =
                field.getType() instanceof ArrowType.FixedSizeList list
                        ? rows * list.getListSize()
                        : rows;
        return bits(rows) + bits(places) + offsets(places);
    }

    /** Returns the size of a column of one value, a number or a string, that is written so. */
    static long ofConstant(String text, long rows) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        return bits(rows) + offsets(rows) + aligned(rows * Math.max(Long.BYTES, bytes));
    }

    /**
     * Returns the size of all byte arrays. If the writer did not record it: without a dictionary,
     * the size of the pages is an upper bound. With a dictionary, the pages are assumed to be one
     * dictionary followed by bit-packed indices; the width of the indices gives the minimum number
     * of entries, and so their average length.
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
