package io.lockstep.handoff.client;

import io.lockstep.UserException;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Messages;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.SinkEntry;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.CallOptions;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Speaks the hand-off protocol to one server: for the launcher, for tools and for tests. Trainers
 * use the Python client.
 *
 * <p>A method throws {@link io.lockstep.protocol.NotYetException} if the caller should ask again,
 * {@link io.lockstep.protocol.HandoffException} if the server answers with an error, and Flight's
 * own exception if the server cannot be reached. Thread-safe.
 */
@PublicEvolving
public final class HandoffClient implements AutoCloseable {

    /** Longer than the server holds any call. */
    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);

    private final BufferAllocator allocator;
    private final FlightClient flight;
    private final CallOption[] options;
    private final Reply.Hello server;

    private HandoffClient(
            BufferAllocator allocator,
            FlightClient flight,
            String task,
            Credentials credentials,
            Duration limit) {
        this.allocator = allocator;
        this.flight = flight;
        this.options = options(credentials, limit);
        this.server =
                call(
                        new Request.Hello("lockstep-java " + Messages.RELEASE, task, null),
                        Reply.Hello.class);
    }

    /**
     * Connects and says hello.
     *
     * @param uri as in the run directory: {@code grpc+tcp://host:port}
     * @param allocator for received data; must outlive the client
     * @throws HandoffException if the server does not accept the token
     */
    public static HandoffClient connect(
            String uri, Credentials credentials, BufferAllocator allocator) {
        return connect(uri, null, credentials.ca(), credentials, allocator, CALL_LIMIT);
    }

    /**
     * Connects to a server of a run and says hello, for calls that the server does not hold.
     *
     * @param limit of each call, after which Flight's exception says that it timed out
     * @throws HandoffException if that server is dead and another listens at its address, or if the
     *     server does not accept the token
     */
    public static HandoffClient connect(
            SinkEntry server, Credentials credentials, BufferAllocator allocator, Duration limit) {
        return connect(
                server.uri(),
                server.task(),
                credentials.ca() != null ? credentials.ca() : server.ca(),
                credentials,
                allocator,
                limit);
    }

    private static HandoffClient connect(
            String uri,
            @Nullable String task,
            @Nullable String ca,
            Credentials credentials,
            BufferAllocator allocator,
            Duration limit) {
        FlightClient.Builder builder =
                FlightClient.builder(allocator, new Location(URI.create(uri)))
                        .maxInboundMessageSize(Integer.MAX_VALUE);
        if (ca != null) {
            builder.trustedCertificates(certificates(ca));
        }
        FlightClient flight = builder.build();
        try {
            return new HandoffClient(allocator, flight, task, credentials, limit);
        } catch (RuntimeException e) {
            close(flight);
            throw e;
        }
    }

    private static InputStream certificates(String ca) {
        try {
            return new ByteArrayInputStream(Files.readAllBytes(Path.of(ca)));
        } catch (IOException e) {
            throw new UserException(
                    "the certificates "
                            + ca
                            + " cannot be read: set LOCKSTEP_TLS_CA to a file of this host",
                    e);
        }
    }

    private static CallOption[] options(Credentials credentials, Duration limit) {
        CallOption timeout = CallOptions.timeout(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (credentials.token() == null) {
            return new CallOption[] {timeout};
        }
        FlightCallHeaders headers = new FlightCallHeaders();
        headers.insert("authorization", credentials.token().authorization());
        return new CallOption[] {timeout, new HeaderCallOption(headers)};
    }

    /** The server's reply to hello. */
    public Reply.Hello server() {
        return server;
    }

    /** Whether this process can map the server's shared memory. */
    public boolean sharesMemory() {
        if (server.shm() == null) {
            return false;
        }
        try {
            return Files.readString(Path.of(server.shm().probe())).equals(server.shm().nonce());
        } catch (IOException e) {
            // Another host, container or user.
            return false;
        }
    }

    public Reply.Routing routing() {
        return call(new Request.Routing(null, null), Reply.Routing.class);
    }

    /** Registers a rank and returns its generation. */
    public long register(Request.Register request) {
        return call(request, Reply.Registered.class).generation();
    }

    /**
     * Commits a state that is in a model checkpoint; returns whether all ranks have committed it.
     */
    public boolean commit(Request.Commit request) {
        return call(request, Reply.Committed.class).complete();
    }

    /** The newest state that all ranks have committed. */
    public Reply.Resumed resume(Request.Resume request) {
        return call(request, Reply.Resumed.class);
    }

    /** Asks the server to prepare steps ahead of use. */
    public void want(Request.WantSteps request) {
        call(request, Reply.Noted.class);
    }

    /** Reports that a rank has finished cleanly. Idempotent; does nothing if the run is done. */
    public void close(long generation, int rank) {
        try {
            call(new Request.Close(generation, rank), Reply.Noted.class);
        } catch (HandoffException e) {
            if (e.code() != ErrorCode.DONE) {
                throw e;
            }
        }
    }

    /** Moves lanes to other readers. Idempotent; repeat until answered. */
    public void move(Request.Move request) {
        call(request, Reply.Noted.class);
    }

    public Reply.Stats stats() {
        return call(new Request.Stats(), Reply.Stats.class);
    }

    <T extends Reply> T call(Request request, Class<T> type) {
        return Messages.reply(send(request), type);
    }

    /** Returns the reply's bytes. */
    byte[] send(Request request) {
        Action action = new Action(request.verb().wireName(), Messages.write(request));
        try {
            Iterator<Result> results = flight.doAction(action, options);
            byte[] body = results.next().getBody();
            // Ends the call.
            results.forEachRemaining(more -> {});
            return body;
        } catch (FlightRuntimeException e) {
            if (e.status().code() == FlightStatusCode.UNAUTHENTICATED) {
                throw new HandoffException(ErrorCode.REFUSED, e.status().description());
            }
            throw e;
        }
    }

    FlightStream stream(Request.Get request) {
        return flight.getStream(new Ticket(Messages.write(request)), options);
    }

    BufferAllocator allocator() {
        return allocator;
    }

    @Override
    public void close() {
        close(flight);
    }

    private static void close(FlightClient flight) {
        try {
            flight.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
