package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.column.Encoding;

/**
 * Selects the decoder for each page: Lockstep's own for the plain and dictionary encodings,
 * parquet-java's for the others.
 */
final class FixedEncodings implements FixedSource {

    private final FileColumn column;
    private final FixedForm form;
    private final Scratch plain;
    private final Scratch entries;
    private FixedDictionary dictionary;

    FixedEncodings(FileColumn column, FixedForm form, BufferAllocator allocator) {
        this.column = column;
        this.form = form;
        this.plain = new Scratch(allocator);
        this.entries = new Scratch(allocator);
    }

    @Override
    public int width() {
        return form.width();
    }

    @Override
    public void dictionary(DictionaryPage page) throws IOException {
        // Check before allocating memory for the entries: the count may be damaged.
        PlainFixed values = new PlainFixed(form, page.values());
        values.require(page.count());
        Region converted = entries.get(Math.multiplyExact(page.count(), form.width()));
        values.read(page.count(), converted.address());
        dictionary = FixedDictionary.of(converted, form.width());
    }

    @Override
    public FixedValues open(DataPage page) throws IOException {
        Encoding encoding = page.encoding();
        if (encoding == Encoding.PLAIN) {
            return new PlainFixed(form, page.values());
        }
        if (encoding.usesDictionary()) {
            if (dictionary == null) {
                throw new IOException("a page needs a dictionary that is not there");
            }
            return dictionary.open(page.values());
        }
        return new ConvertedFixed(ParquetValues.open(column, page), column, form, plain);
    }

    @Override
    public void close() {
        plain.close();
        entries.close();
    }
}
