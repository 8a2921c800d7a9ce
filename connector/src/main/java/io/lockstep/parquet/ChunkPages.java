package io.lockstep.parquet;

import io.lockstep.Plural;
import io.lockstep.footer.ColumnChunk;
import io.lockstep.footer.FileColumn;
import java.io.IOException;
import java.util.zip.CRC32;
import javax.annotation.Nullable;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;

/**
 * Iterates over the pages of one column chunk. {@link #next} returns null after the last page and
 * passes a dictionary page to the consumer on the way. Not thread-safe.
 */
final class ChunkPages {

    private final RegionInputStream in;
    private final Region bytes;
    private final CompressionCodec codec;
    private final FileColumn column;
    private final Decompressor decompressor;
    private final Scratch scratch;
    private final DictionaryConsumer dictionaries;
    private long left;

    /** Receives the dictionary, which is valid during the call only. */
    @FunctionalInterface
    interface DictionaryConsumer {
        void accept(DictionaryPage page) throws IOException;
    }

    /**
     * @param bytes all pages of the chunk, as stored in the file
     * @param scratch the memory into which pages are decompressed
     * @param dictionaries receives the dictionary page, if there is one, before the data pages
     */
    ChunkPages(
            ColumnChunk chunk,
            FileColumn column,
            Region bytes,
            Decompressor decompressor,
            Scratch scratch,
            DictionaryConsumer dictionaries) {
        this.in = new RegionInputStream(bytes);
        this.bytes = bytes;
        this.codec = chunk.codec();
        this.column = column;
        this.decompressor = decompressor;
        this.scratch = scratch;
        this.dictionaries = dictionaries;
        this.left = chunk.values();
    }

    /** Returns the next data page, null after the last one. */
    @Nullable
    DataPage next() throws IOException {
        while (left > 0) {
            if (in.available() == 0) {
                throw new IOException("its pages lack " + Plural.of(left, "value"));
            }
            PageHeader header = Util.readPageHeader(in);
            int size = header.getCompressed_page_size();
            Region page = bytes.part(in.position(), size);
            in.skipNBytes(size);
            verify(header, page);
            switch (header.getType()) {
                case DICTIONARY_PAGE -> {
                    int count = header.getDictionary_page_header().getNum_values();
                    dictionaries.accept(new DictionaryPage(count, decompress(header, page)));
                }
                case DATA_PAGE -> {
                    return version1(header, decompress(header, page));
                }
                case DATA_PAGE_V2 -> {
                    return version2(header, page);
                }
                default -> {}
            }
        }
        return null;
    }

    /**
     * Both levels precede the values, each prefixed with its length, and are compressed with them.
     */
    private DataPage version1(PageHeader header, Region page) throws IOException {
        DataPageHeader data = header.getData_page_header();
        int position = 0;
        HybridReader repetition = null;
        if (column.maxRepetitionLevel() > 0) {
            requireRle(data.getRepetition_level_encoding());
            int length = page.intAt(position);
            position += Integer.BYTES;
            repetition = levels(page.part(position, length), column.maxRepetitionLevel());
            position += length;
        }
        HybridReader definition = null;
        if (column.levels().value() > 0) {
            requireRle(data.getDefinition_level_encoding());
            int length = page.intAt(position);
            position += Integer.BYTES;
            definition = levels(page.part(position, length), column.levels().value());
            position += length;
        }
        return page(
                data.getNum_values(),
                repetition,
                definition,
                data.getEncoding(),
                page.from(position));
    }

    /** Both levels precede the values, uncompressed; the header contains their lengths. */
    private DataPage version2(PageHeader header, Region page) throws IOException {
        DataPageHeaderV2 data = header.getData_page_header_v2();
        int repetitionLength = data.getRepetition_levels_byte_length();
        int definitionLength = data.getDefinition_levels_byte_length();
        Region repetition = page.part(0, repetitionLength);
        Region definition = page.part(repetitionLength, definitionLength);
        Region values = page.from(repetitionLength + definitionLength);
        if (data.isIs_compressed()) {
            int length = header.getUncompressed_page_size() - repetitionLength - definitionLength;
            values = decompress(values, length);
        }
        return page(
                data.getNum_values(),
                levels(repetition, column.maxRepetitionLevel()),
                levels(definition, column.levels().value()),
                data.getEncoding(),
                values);
    }

    private DataPage page(
            int count,
            HybridReader repetition,
            HybridReader definition,
            org.apache.parquet.format.Encoding encoding,
            Region values)
            throws IOException {
        if (count < 0 || count > left) {
            throw new IOException("its pages have more values than its footer says");
        }
        left -= count;
        Encoding known = Encoding.valueOf(encoding.name());
        return new DataPage(count, repetition, definition, known, values);
    }

    private static HybridReader levels(Region region, int maxLevel) throws IOException {
        return maxLevel == 0
                ? null
                : new HybridReader(region, Integer.SIZE - Integer.numberOfLeadingZeros(maxLevel));
    }

    private static void requireRle(org.apache.parquet.format.Encoding encoding) throws IOException {
        if (encoding != org.apache.parquet.format.Encoding.RLE) {
            throw new IOException(
                    "its levels are encoded as " + encoding + ", which Lockstep does not read");
        }
    }

    private Region decompress(PageHeader header, Region page) throws IOException {
        return decompress(page, header.getUncompressed_page_size());
    }

    private Region decompress(Region from, int length) throws IOException {
        if (codec == CompressionCodec.UNCOMPRESSED) {
            return from;
        }
        if (length < 0) {
            throw new IOException("a page has " + length + " bytes");
        }
        if (length == 0) {
            return Region.EMPTY;
        }
        Region to = scratch.get(length);
        decompressor.decompress(codec, from, to);
        return to;
    }

    private static void verify(PageHeader header, Region page) throws IOException {
        if (header.isSetCrc()) {
            CRC32 crc = new CRC32();
            crc.update(page.buffer());
            if ((int) crc.getValue() != header.getCrc()) {
                throw new IOException("a page does not have the checksum that its header says");
            }
        }
    }
}
