package io.lockstep.cli.rows;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes rows in one format, as they come. Not thread-safe. */
public interface RowWriter extends AutoCloseable {

    /**
     * A writer onto a stream that stays open.
     *
     * @param schema of all rows that will come
     */
    static RowWriter open(Format format, Schema schema, OutputStream out) throws IOException {
        return switch (format) {
            case TABLE -> new TableRows(schema, out);
            case JSON -> new JsonRows(out);
            case ARROW -> new ArrowRows(schema, out);
        };
    }

    /**
     * Writes some rows.
     *
     * @param rows of the schema; they stay the caller's
     */
    void write(VectorSchemaRoot rows) throws IOException;

    /** Writes what is left to write. */
    @Override
    void close() throws IOException;
}
