package io.lockstep.footer;

import io.lockstep.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Parses a serialised FileMetaData; numbers in {@code case} are field ids of the format. */
final class FooterParser {

    private static final byte[] ARROW_SCHEMA = "ARROW:schema".getBytes(StandardCharsets.UTF_8);

    private final String file;
    private final byte[] bytes;
    private final CompactReader in;

    private FooterParser(String file, byte[] bytes) {
        this.file = file;
        this.bytes = bytes;
        this.in = new CompactReader(bytes, 0, bytes.length);
    }

    /**
     * @throws UserException where the footer is damaged or encrypted
     */
    static Footer parse(String file, String tail, byte[] bytes) {
        try {
            return new FooterParser(file, bytes).parse(tail);
        } catch (IOException e) {
            throw new UserException(
                    "The footer of "
                            + file
                            + " is damaged ("
                            + e.getMessage()
                            + "); write it anew.",
                    e);
        }
    }

    private Footer parse(String tail) throws IOException {
        ByteBuffer elements = null;
        List<FileRowGroup> rowGroups = List.of();
        String arrow = "";
        in.beginStruct();
        for (int field = in.nextField(); field != 0; field = in.nextField()) {
            switch (field) {
                case 2 -> {
                    int begin = in.position();
                    in.skip();
                    elements = ByteBuffer.wrap(bytes, begin, in.position() - begin);
                }
                case 4 -> rowGroups = new RowGroupScanner(in).readRowGroups();
                case 5 -> arrow = readArrowSchema();
                case 8 -> throw encrypted(file);
                default -> in.skip();
            }
        }
        in.endStruct();
        if (elements == null) {
            throw new IOException("it has no schema");
        }
        return new Footer(
                file, sha256(bytes), tail, rowGroups, new SchemaText(elements, arrow), bytes);
    }

    /** Of the key-value pairs, the one that Arrow's writers add. */
    private String readArrowSchema() throws IOException {
        String found = "";
        int size = in.beginList();
        for (int i = 0; i < size; i++) {
            byte[] key = null;
            byte[] value = null;
            in.beginStruct();
            for (int field = in.nextField(); field != 0; field = in.nextField()) {
                switch (field) {
                    case 1 -> key = in.readBinary();
                    case 2 -> value = in.readBinary();
                    default -> in.skip();
                }
            }
            in.endStruct();
            if (Arrays.equals(key, ARROW_SCHEMA) && value != null) {
                found = new String(value, StandardCharsets.ISO_8859_1);
            }
        }
        return found;
    }

    static UserException encrypted(String file) {
        return new UserException(
                file + " is encrypted, which Lockstep does not read; write it without encryption.");
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
