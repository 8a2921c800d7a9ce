package io.lockstep.cli.rows;

import io.lockstep.Printable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Writes aligned columns. The first rows set the widths; wider cells that follow, and very long
 * cells, are truncated.
 */
final class TableRows implements RowWriter {

    private static final int FIRST_ROWS = 100;
    private static final int WIDEST = 40;
    private static final String GAP = "  ";

    private final List<Field> fields;
    private final OutputStream out;
    private final List<String[]> first = new ArrayList<>();
    private int[] widths;

    TableRows(Schema schema, OutputStream out) {
        this.fields = schema.getFields();
        this.out = out;
    }

    @Override
    public void write(VectorSchemaRoot rows) throws IOException {
        List<FieldVector> vectors = rows.getFieldVectors();
        for (int row = 0; row < rows.getRowCount(); row++) {
            String[] cells = new String[vectors.size()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = text(Cells.value(vectors.get(i), row));
            }
            if (widths != null) {
                line(cells);
            } else {
                first.add(cells);
                if (first.size() == FIRST_ROWS) {
                    begin();
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (widths == null) {
            begin();
        }
    }

    private void begin() throws IOException {
        String[] names = fields.stream().map(f -> Printable.of(f.getName())).toArray(String[]::new);
        widths = new int[names.length];
        measure(names);
        first.forEach(this::measure);
        line(names);
        for (String[] cells : first) {
            line(cells);
        }
        first.clear();
    }

    private void measure(String[] cells) {
        for (int i = 0; i < cells.length; i++) {
            widths[i] = Math.min(WIDEST, Math.max(widths[i], length(cells[i])));
        }
    }

    private void line(String[] cells) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String cell = fit(cells[i], widths[i]);
            String padding = " ".repeat(widths[i] - length(cell));
            line.append(i == 0 ? "" : GAP);
            line.append(isNumber(fields.get(i)) ? padding + cell : cell + padding);
        }
        out.write((line.toString().stripTrailing() + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }

    private static String fit(String cell, int width) {
        return length(cell) <= width
                ? cell
                : cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + "…";
    }

    private static boolean isNumber(Field field) {
        ArrowType type = field.getType();
        return type instanceof ArrowType.Int
                || type instanceof ArrowType.FloatingPoint
                || type instanceof ArrowType.Decimal;
    }

    private static String text(Object value) {
        return value == null ? "null" : Printable.of(String.valueOf(value));
    }
}
