package io.lockstep.handoff.client;

import io.lockstep.protocol.Messages;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.flink.annotation.Internal;

/**
 * Reads the batches of one stream for one rank from one server: through shared memory if both sides
 * share it, else by Flight. Not thread-safe.
 */
@Internal
public final class BatchReader implements AutoCloseable {

    private final HandoffClient client;
    private final long generation;
    private final int rank;
    private final String stream;
    private final Schema schema;
    private SlotReader slots;
    private String connection;

    private BatchReader(
            HandoffClient client, long generation, int rank, String stream, Schema schema) {
        this.client = client;
        this.generation = generation;
        this.rank = rank;
        this.stream = stream;
        this.schema = schema;
    }

    /**
     * Attaches to a stream.
     *
     * @param transport the fastest transport to use
     * @param schema of the stream's batches, as in the routing
     */
    public static BatchReader attach(
            HandoffClient client,
            long generation,
            int rank,
            String stream,
            Schema schema,
            Transport transport) {
        BatchReader reader = new BatchReader(client, generation, rank, stream, schema);
        Transport possible = client.sharesMemory() ? transport : Transport.FLIGHT;
        byte[] reply = client.send(new Request.Attach(generation, rank, stream, possible));
        if (!Messages.isUseFlight(reply)) {
            reader.connection = Messages.reply(reply, Reply.Attached.class).connection();
            reader.slots = new SlotReader(schema, client.allocator());
        }
        return reader;
    }

    /** The current transport. */
    public Transport transport() {
        return connection == null ? Transport.FLIGHT : Transport.SHARED_MEMORY;
    }

    /**
     * Returns a step's batch in memory of its own; the caller closes it.
     *
     * @param lanes ascending, all served by this server
     * @param upTo the server prepares the steps before this one ahead of use
     * @param wait how long the server may wait for the step
     */
    public VectorSchemaRoot get(
            List<Integer> lanes, long epoch, long step, long upTo, Duration wait)
            throws IOException {
        if (connection != null) {
            Request.Get request =
                    request(lanes, epoch, step, upTo, wait, connection, slots.takeFreed());
            return slots.read(client.call(request, Reply.InSlot.class));
        }
        return receive(request(lanes, epoch, step, upTo, wait, null, null));
    }

    private Request.Get request(
            List<Integer> lanes,
            long epoch,
            long step,
            long upTo,
            Duration wait,
            String viaConnection,
            List<Long> free) {
        return new Request.Get(
                generation,
                rank,
                stream,
                lanes,
                epoch,
                step,
                upTo,
                wait.toMillis(),
                viaConnection,
                free,
                null);
    }

    // Closing Flight's stream may be interrupted; handle that like any other exception.
    @SuppressWarnings("try")
    private VectorSchemaRoot receive(Request.Get request) throws IOException {
        try (FlightStream batches = client.stream(request)) {
            if (!batches.next()) {
                throw new IOException("the server sent neither a batch nor a reason");
            }
            ArrowBuf metadata = batches.getLatestMetadata();
            byte[] json = new byte[Math.toIntExact(metadata.readableBytes())];
            metadata.getBytes(0, json);
            Messages.reply(json, Reply.InStream.class);
            return own(batches.getRoot(), client.allocator());
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the batch could not be received", e);
        }
    }

    /** The stream's buffers under a root that outlives the stream. */
    private VectorSchemaRoot own(VectorSchemaRoot received, BufferAllocator allocator) {
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        try (ArrowRecordBatch batch = new VectorUnloader(received).getRecordBatch()) {
            new VectorLoader(root).load(batch);
            return root;
        } catch (RuntimeException e) {
            root.close();
            throw e;
        }
    }

    /** Tells the server that the rank needs no further steps of the stream. */
    public void detach() {
        client.call(new Request.Detach(generation, rank, stream), Reply.Noted.class);
    }

    @Override
    public void close() {
        if (slots != null) {
            slots.close();
        }
    }
}
