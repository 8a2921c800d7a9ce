package io.lockstep.footer;

import io.lockstep.UserException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Reads the footers of Parquet files. */
public final class FooterReader {

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ENCRYPTED = "PARE".getBytes(StandardCharsets.US_ASCII);

    /** The size of the footer length and the magic number. */
    private static final int TRAILER = 8;

    /** The minimum size of a file: the leading magic number and the trailer. */
    private static final int MIN_BYTES = MAGIC.length + TRAILER;

    /** The size of the first request. Most footers fit, and object stores charge per request. */
    private static final int TAIL = 64 * 1024;

    private FooterReader() {}

    /**
     * Reads the footer of a file in at most two requests.
     *
     * @param length the length of the file
     * @throws UserException if the file is not a Parquet file, or is truncated, damaged or
     *     encrypted
     */
    public static Footer read(FileSystem fileSystem, Path path, long length) throws IOException {
        String file = path.toString();
        if (length == 0) {
            throw new UserException(file + " is empty (0 bytes); remove it or write it again.");
        }
        try (FSDataInputStream in = DataFile.open(fileSystem, path)) {
            byte[] tail = read(in, Math.max(0, length - TAIL), (int) Math.min(TAIL, length), file);
            checkMagic(in, tail, length, file);
            int trailer = tail.length - TRAILER;
            long footerLength = Integer.toUnsignedLong(littleEndianInt(tail, trailer));
            if (footerLength == 0 || footerLength > length - MIN_BYTES) {
                throw new UserException(
                        file
                                + " is damaged: its footer would have "
                                + footerLength
                                + " bytes, but the file has "
                                + length
                                + "; write it again.");
            }
            int size = (int) footerLength;
            byte[] footer =
                    size <= trailer
                            ? Arrays.copyOfRange(tail, trailer - size, trailer)
                            : read(in, length - TRAILER - size, size, file);
            return FooterParser.parse(file, crc(tail), footer);
        }
    }

    private static void checkMagic(FSDataInputStream in, byte[] tail, long length, String file)
            throws IOException {
        byte[] last = Arrays.copyOfRange(tail, Math.max(0, tail.length - 4), tail.length);
        if (Arrays.equals(last, ENCRYPTED)) {
            throw FooterParser.encrypted(file);
        }
        if (length >= MIN_BYTES && Arrays.equals(last, MAGIC)) {
            return;
        }
        if (length >= MAGIC.length && Arrays.equals(read(in, 0, MAGIC.length, file), MAGIC)) {
            throw new UserException(
                    file
                            + " is cut off: it begins as a Parquet file, but does not end as one ("
                            + length
                            + " bytes); copy or write it again.");
        }
        throw new UserException(
                file
                        + " is not a Parquet file: it does not end in PAR1; remove it, or name the"
                        + " Parquet files by a pattern such as 'directory/**/*.parquet'.");
    }

    private static byte[] read(FSDataInputStream in, long position, int length, String file)
            throws IOException {
        in.seek(position);
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException(
                    file + " ended at " + (position + bytes.length) + " while its footer was read");
        }
        return bytes;
    }

    private static String crc(byte[] tail) {
        CRC32C crc = new CRC32C();
        crc.update(tail);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    private static int littleEndianInt(byte[] bytes, int index) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(index);
    }
}
