package io.lockstep.parquet;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.parquet.format.CompressionCodec;
import org.xerial.snappy.Snappy;

/** Decompresses pages with any supported codec. Not thread-safe. */
final class Decompressor implements AutoCloseable {

    private static final int PIECE = 64 * 1024;

    private ZstdDecompressCtx zstd;

    /**
     * Decompresses a page into a region, which it must fill exactly.
     *
     * @throws IOException if the page is damaged, or its size differs from that of the region
     */
    void decompress(CompressionCodec codec, Region from, Region to) throws IOException {
        long length =
                switch (codec) {
                    case SNAPPY -> snappy(from, to);
                    case ZSTD -> zstd(from, to);
                    case GZIP -> gzip(from, to);
                    default -> throw new IOException("it is compressed with " + codec);
                };
        if (length != to.length()) {
            throw new IOException(
                    "a page decompresses to " + length + " bytes instead of " + to.length());
        }
    }

    private static long snappy(Region from, Region to) throws IOException {
        long length = Snappy.uncompressedLength(from.address(), from.length());
        if (length == to.length()) {
            Snappy.rawUncompress(from.address(), from.length(), to.address());
        }
        return length;
    }

    private long zstd(Region from, Region to) throws IOException {
        if (zstd == null) {
            zstd = new ZstdDecompressCtx();
        }
        try {
            return zstd.decompressDirectByteBuffer(
                    to.buffer(), 0, to.length(), from.buffer(), 0, from.length());
        } catch (ZstdException e) {
            throw new IOException("a page does not decompress: " + e.getMessage(), e);
        }
    }

    private static long gzip(Region from, Region to) throws IOException {
        byte[] piece = new byte[PIECE];
        long length = 0;
        try (InputStream in = new GZIPInputStream(new RegionInputStream(from), PIECE)) {
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                if (count > to.length() - length) {
                    return length + count;
                }
                MemoryUtil.copyToMemory(piece, 0, to.address() + length, count);
                length += count;
            }
        }
        return length;
    }

    @Override
    public void close() {
        if (zstd != null) {
            zstd.close();
        }
    }
}
