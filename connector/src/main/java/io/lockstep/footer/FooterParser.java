package io.lockstep.footer;

import io.lockstep.UserException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.SizeStatistics;
import org.apache.parquet.format.Util;

/** Parses a serialised FileMetaData one row group at a time, without retaining statistics. */
final class FooterParser extends Util.FileMetaDataConsumer {

    private static final String ARROW_SCHEMA = "ARROW:schema";

    private final String file;
    private final List<FileRowGroup> rowGroups = new ArrayList<>();
    private List<SchemaElement> elements;
    private String arrow = "";

    private FooterParser(String file) {
        this.file = file;
    }

    /**
     * @param tail as in {@link Footer}
     * @throws UserException if the footer is damaged or encrypted
     */
    static Footer parse(String file, String tail, byte[] bytes) {
        FooterParser parser = new FooterParser(file);
        try {
            Util.readFileMetaData(
                    new ByteArrayInputStream(bytes), parser, false, null, null, bytes.length);
        } catch (IOException e) {
            throw damaged(file, e.getMessage(), e);
        }
        if (parser.elements == null) {
            throw damaged(file, "it has no schema", null);
        }
        return new Footer(
                file,
                sha256(bytes),
                tail,
                parser.rowGroups,
                new SchemaText(parser.elements, parser.arrow));
    }

    @Override
    public void setSchema(List<SchemaElement> schema) {
        elements = schema;
    }

    @Override
    public void addRowGroup(RowGroup group) {
        rowGroups.add(
                new FileRowGroup(
                        group.getNum_rows(),
                        group.getColumns().stream().map(FooterParser::chunk).toList()));
    }

    private static ColumnChunk chunk(org.apache.parquet.format.ColumnChunk column) {
        ColumnMetaData data = column.getMeta_data();
        if (data == null
                || column.isSetFile_path()
                || column.isSetCrypto_metadata()
                || column.isSetEncrypted_column_metadata()) {
            return new ColumnChunk(null, 0, 0, 0, 0, -1, -1, true);
        }
        SizeStatistics sizes = data.getSize_statistics();
        return new ColumnChunk(
                data.getCodec(),
                data.getNum_values(),
                data.getTotal_uncompressed_size(),
                data.getTotal_compressed_size(),
                data.getData_page_offset(),
                data.isSetDictionary_page_offset() ? data.getDictionary_page_offset() : -1,
                sizes != null && sizes.isSetUnencoded_byte_array_data_bytes()
                        ? sizes.getUnencoded_byte_array_data_bytes()
                        : -1,
                false);
    }

    /** Keeps only the key-value pair that Arrow's writers add. */
    @Override
    public void addKeyValueMetaData(KeyValue pair) {
        if (pair.getKey().equals(ARROW_SCHEMA) && pair.isSetValue()) {
            arrow = pair.getValue();
        }
    }

    @Override
    public void setEncryptionAlgorithm(EncryptionAlgorithm algorithm) {
        throw encrypted(file);
    }

    @Override
    public void setVersion(int version) {}

    @Override
    public void setNumRows(long rows) {}

    @Override
    public void setCreatedBy(String program) {}

    @Override
    public void setFooterSigningKeyMetadata(byte[] key) {}

    static UserException encrypted(String file) {
        return new UserException(
                file + " is encrypted, which Lockstep does not read; write it without encryption.");
    }

    private static UserException damaged(String file, String why, Exception cause) {
        return new UserException(
                "The footer of " + file + " is damaged (" + why + "); write it again.", cause);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
