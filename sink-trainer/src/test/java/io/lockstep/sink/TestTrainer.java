package io.lockstep.sink;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Wire;
import io.lockstep.handoff.client.BatchReader;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.order.Order;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.protocol.Transport;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A rank that takes steps from the servers in the run directory and reconnects when they are gone,
 * as the Python client does.
 */
final class TestTrainer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** The number of steps requested, from the next one on. */
    static final int AHEAD = 4;

    private final RunDirectory run;
    private final int rank;
    private final int world;
    private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
    private final Map<String, HandoffClient> clients = new TreeMap<>();
    private final Map<String, BatchReader> readers = new TreeMap<>();
    private final Transport transport;
    private long generation;

    TestTrainer(RunDirectory run, String launch, int rank, int world, Transport transport)
            throws Exception {
        this.run = run;
        this.rank = rank;
        this.world = world;
        this.transport = transport;
        String instance = UUID.randomUUID().toString();
        try {
            generation =
                    retry(
                            () ->
                                    client(entries().get(0).uri())
                                            .register(
                                                    new Request.Register(
                                                            launch, rank, world, "test", instance,
                                                            null, null)));
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    long generation() {
        return generation;
    }

    /** The stream's entry in the routing. */
    Reply.StreamEntry stream(String name) throws Exception {
        return retry(
                () -> {
                    Reply.StreamEntry entry =
                            client(entries().get(0).uri()).routing().streams().get(name);
                    if (entry == null) {
                        throw new IllegalStateException("no stream " + name);
                    }
                    return entry;
                });
    }

    /**
     * The sample ids of this rank's part of a step, lanes ascending; checks the column {@code id}
     * against them.
     */
    List<Long> step(String stream, long epoch, long step) throws Exception {
        Reply.StreamEntry entry = stream(stream);
        List<Long> samples = new ArrayList<>();
        int first = Order.firstLane(rank, world, entry.lanes());
        int end = Order.firstLane(rank + 1, world, entry.lanes());
        for (int lane : IntStream.range(first, end).toArray()) {
            samples.addAll(lane(stream, entry, lane, epoch, step));
        }
        return samples;
    }

    /** The sample ids of one lane's part of a step. */
    List<Long> lane(String stream, int lane, long epoch, long step) throws Exception {
        return lane(stream, stream(stream), lane, epoch, step);
    }

    private List<Long> lane(String stream, Reply.StreamEntry entry, int lane, long epoch, long step)
            throws Exception {
        return retry(
                () -> {
                    BatchReader reader = reader(uriOf(stream, lane), stream, entry);
                    try (VectorSchemaRoot root =
                            reader.get(
                                    List.of(lane),
                                    epoch,
                                    step,
                                    step + AHEAD,
                                    Duration.ofSeconds(2))) {
                        return samples(root);
                    }
                });
    }

    /**
     * Requests steps of all lanes of the stream train ahead of use; one server must have all lanes.
     */
    void want(long epoch, long from, long upTo) throws Exception {
        List<Integer> lanes = IntStream.range(0, stream("train").lanes()).boxed().toList();
        retry(
                () -> {
                    client(uriOf("train", 0))
                            .want(
                                    new Request.WantSteps(
                                            generation, rank, "train", lanes, epoch, from, upTo));
                    return null;
                });
    }

    private static List<Long> samples(VectorSchemaRoot root) {
        UInt8Vector samples = (UInt8Vector) root.getVector(Wire.SAMPLE);
        BigIntVector ids = (BigIntVector) root.getVector("id");
        List<Long> found = new ArrayList<>();
        for (int row = 0; row < root.getRowCount(); row++) {
            if (ids.get(row) != samples.get(row)) {
                throw new AssertionError(
                        "row "
                                + row
                                + " holds "
                                + ids.get(row)
                                + " for sample "
                                + samples.get(row));
            }
            found.add(samples.get(row));
        }
        return found;
    }

    /** Whether the server of a lane answers. */
    boolean answers(String stream, int lane) throws Exception {
        try (HandoffClient probe =
                HandoffClient.connect(uriOf(stream, lane), Credentials.of(run), allocator)) {
            return probe.server() != null;
        } catch (FlightRuntimeException | NotYetException e) {
            return false;
        }
    }

    /** The counters of all servers. */
    List<Reply.Stats> stats() throws Exception {
        return retry(
                () -> {
                    List<Reply.Stats> stats = new ArrayList<>();
                    for (SinkEntry entry : entries()) {
                        stats.add(client(entry.uri()).stats());
                    }
                    return stats;
                });
    }

    /** Commits a state before a step of the stream train; returns whether it is complete. */
    boolean commit(long epoch, long step, String state) throws Exception {
        return retry(
                () ->
                        client(entries().get(0).uri())
                                .commit(
                                        new Request.Commit(
                                                generation,
                                                rank,
                                                "train",
                                                epoch,
                                                step,
                                                state,
                                                null)));
    }

    /** The newest committed state of the stream train. */
    Reply.Resumed resume() throws Exception {
        return retry(
                () ->
                        client(entries().get(0).uri())
                                .resume(new Request.Resume(generation, rank, "train")));
    }

    /** Reports that this rank has finished. */
    void finish() throws Exception {
        retry(
                () -> {
                    try {
                        client(entries().get(0).uri()).close(generation, rank);
                    } catch (HandoffException e) {
                        // The last rank's close may end the run before its reply is sent.
                        if (e.code() != ErrorCode.DONE) {
                            throw e;
                        }
                    }
                    return null;
                });
    }

    private List<SinkEntry> entries() throws IOException {
        List<SinkEntry> entries = run.readSinks();
        if (entries.isEmpty()) {
            throw new NotYetException("no sink has started yet");
        }
        return entries;
    }

    private String uriOf(String stream, int lane) throws IOException {
        for (SinkEntry entry : entries()) {
            if (entry.lanes().getOrDefault(stream, List.of()).contains(lane)) {
                return entry.uri();
            }
        }
        throw new NotYetException("nobody serves lane " + lane + " yet");
    }

    private HandoffClient client(String uri) throws IOException {
        Credentials credentials = Credentials.of(run);
        return clients.computeIfAbsent(
                uri, address -> HandoffClient.connect(address, credentials, allocator));
    }

    private BatchReader reader(String uri, String stream, Reply.StreamEntry entry)
            throws IOException {
        HandoffClient client = client(uri);
        return readers.computeIfAbsent(
                uri + " " + stream,
                key ->
                        BatchReader.attach(
                                client,
                                generation,
                                rank,
                                stream,
                                Schema.deserializeMessage(
                                        ByteBuffer.wrap(
                                                Base64.getDecoder().decode(entry.schema()))),
                                transport));
    }

    /** Retries until an answer arrives, with new connections after a failure. */
    private <T> T retry(Callable<T> call) throws Exception {
        Instant end = Instant.now().plus(PATIENCE);
        while (true) {
            try {
                return call.call();
            } catch (NotYetException e) {
                failAfter(end, e);
            } catch (HandoffException e) {
                if (e.code() != ErrorCode.NOT_HERE && e.code() != ErrorCode.UNKNOWN_CONNECTION) {
                    throw e;
                }
                failAfter(end, e);
                forget();
            } catch (FlightRuntimeException | IOException e) {
                failAfter(end, e);
                forget();
            }
            Thread.onSpinWait();
        }
    }

    private static void failAfter(Instant end, Exception e) throws Exception {
        if (Instant.now().isAfter(end)) {
            throw e;
        }
    }

    private void forget() {
        readers.values().forEach(BatchReader::close);
        readers.clear();
        for (HandoffClient client : clients.values()) {
            client.close();
        }
        clients.clear();
    }

    @Override
    public void close() {
        forget();
        allocator.close();
    }
}
