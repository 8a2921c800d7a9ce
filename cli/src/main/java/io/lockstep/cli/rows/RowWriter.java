package io.lockstep.cli.rows;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes rows in one format as they arrive. Not thread-safe. */
public interface RowWriter extends AutoCloseable {

    /**
     * Creates a writer on a stream, which stays open.
     *
     * @param schema of all rows to be written
     */
    static RowWriter open(Format format, Schema schema, OutputStream out) throws IOException {
        return switch (format) {
            case TABLE -> new TableRows(schema, out);
            case JSON -> new JsonRows(out);
            case ARROW -> new ArrowRows(schema, out);
        };
    }

    /**
     * Writes rows.
     *
     * @param rows of the schema; owned by the caller
     */
    void write(VectorSchemaRoot rows) throws IOException;

    /** Writes what is still buffered. */
    @Override
    void close() throws IOException;
}
