package io.lockstep.parquet;

import io.lockstep.Plural;
import io.lockstep.footer.FileColumn;
import java.io.IOException;

/** Decodes a column of plain values, one per row. */
final class FlatDecoder implements ColumnDecoder {

    private final LeafBuilder values;
    private final int defined;
    private final int rows;
    private byte[] levels = Levels.NONE;

    FlatDecoder(LeafBuilder values, FileColumn column, int rows) {
        this.values = values;
        this.defined = column.levels().value();
        this.rows = rows;
    }

    @Override
    public void dictionary(DictionaryPage page) throws IOException {
        values.dictionary(page);
    }

    @Override
    public void decode(DataPage page) throws IOException {
        int count = page.count();
        if (count == 0 || page.definition() == null || page.definition().isNext(defined, count)) {
            values.append(page, count, Levels.NONE, count);
            return;
        }
        levels = Levels.ensureSize(levels, count);
        page.definition().read(levels, count);
        values.append(page, count, levels, Levels.count(levels, count, defined));
    }

    @Override
    public void finish(DecodedColumn to) throws IOException {
        if (values.length() != rows) {
            throw new IOException(
                    "it has "
                            + Plural.of(values.length(), "value")
                            + " in a row group of "
                            + Plural.of(rows, "row"));
        }
        values.take(to);
    }

    @Override
    public void close() {
        values.close();
    }
}
