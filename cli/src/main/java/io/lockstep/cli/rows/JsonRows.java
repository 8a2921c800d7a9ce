package io.lockstep.cli.rows;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Writes one JSON object per line. */
final class JsonRows implements RowWriter {

    private final JsonGenerator json;
    private boolean written;

    JsonRows(OutputStream out) throws IOException {
        json = new JsonFactory().createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
        json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    }

    @Override
    public void write(VectorSchemaRoot rows) throws IOException {
        List<FieldVector> vectors = rows.getFieldVectors();
        for (int row = 0; row < rows.getRowCount(); row++) {
            json.writeStartObject();
            for (FieldVector vector : vectors) {
                json.writeFieldName(vector.getName());
                write(Cells.value(vector, row));
            }
            json.writeEndObject();
            written = true;
        }
    }

    private void write(Object value) throws IOException {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Float number) {
            // As its exact double value, so that a reader of doubles gets this number.
            json.writeNumber((double) number);
        } else if (value instanceof Double number) {
            json.writeNumber(number);
        } else if (value instanceof BigInteger number) {
            json.writeNumber(number);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object element : list) {
                write(element);
            }
            json.writeEndArray();
        } else {
            json.writeString(value.toString());
        }
    }

    @Override
    public void close() throws IOException {
        if (written) {
            json.writeRaw('\n');
        }
        json.close();
    }
}
