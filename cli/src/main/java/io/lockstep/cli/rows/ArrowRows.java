package io.lockstep.cli.rows;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/** Writes an Arrow IPC stream, with one record batch per write. */
final class ArrowRows implements RowWriter {

    private static final int CONTINUATION = 0xFFFFFFFF;

    private final WriteChannel channel;

    ArrowRows(Schema schema, OutputStream out) throws IOException {
        channel = new WriteChannel(Channels.newChannel(out));
        MessageSerializer.serialize(channel, schema);
    }

    @Override
    public void write(VectorSchemaRoot rows) throws IOException {
        try (ArrowRecordBatch batch = new VectorUnloader(rows).getRecordBatch()) {
            MessageSerializer.serialize(channel, batch);
        }
    }

    /** Ends the stream: a continuation marker with length 0. */
    @Override
    public void close() throws IOException {
        channel.writeIntLittleEndian(CONTINUATION);
        channel.writeIntLittleEndian(0);
    }
}
