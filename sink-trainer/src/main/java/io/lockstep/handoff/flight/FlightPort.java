package io.lockstep.handoff.flight;

import io.lockstep.UserException;
import io.lockstep.handoff.threads.NetworkThreads;
import io.lockstep.handoff.threads.Uninterrupted;
import io.lockstep.run.RunToken;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.ExecutorService;
import javax.annotation.Nullable;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.FlightServer;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;

/** A Flight server on the first free port of a range. Closing stops it. */
public final class FlightPort implements AutoCloseable {

    /** The largest message of a client; gRPC rejects a larger one before reading it. */
    private static final int MAX_REQUEST_BYTES = 1 << 20;

    private final String bind;
    private final String host;
    private final PortRange ports;
    private final RunToken token;
    private final TlsFiles tls;
    private final FlightProducer producer;
    private final BufferAllocator allocator;
    private final ExecutorService workers;
    private final NetworkThreads network = new NetworkThreads();
    private final RejectedMessages rejected = RejectedMessages.log();
    private FlightServer server;

    public FlightPort(
            String bind,
            String host,
            PortRange ports,
            RunToken token,
            @Nullable TlsFiles tls,
            FlightProducer producer,
            BufferAllocator allocator,
            ExecutorService workers) {
        this.bind = bind;
        this.host = host;
        this.ports = ports;
        this.token = token;
        this.tls = tls;
        this.producer = producer;
        this.allocator = allocator;
        this.workers = workers;
    }

    /**
     * Starts listening.
     *
     * @throws BindException if no port is free; the message says what to do
     */
    public void open() throws BindException {
        IOException refused = null;
        for (int port : ports.ports().toArray()) {
            FlightServer.Builder builder =
                    FlightServer.builder(allocator, location(bind, port), producer)
                            .executor(workers)
                            .maxInboundMessageSize(MAX_REQUEST_BYTES)
                            .middleware(TokenCheck.KEY, new TokenCheck(token))
                            .transportHint("netty.channelType", NioServerSocketChannel.class)
                            .transportHint("netty.bossEventLoopGroup", network.group())
                            .transportHint("netty.workerEventLoopGroup", network.group());
            secure(builder);
            FlightServer candidate = builder.build();
            try {
                server = candidate.start();
                return;
            } catch (IOException e) {
                Uninterrupted.run(candidate::close);
                refused = e;
            }
        }
        BindException none = new BindException(noFreePort());
        none.initCause(refused);
        throw none;
    }

    /** The address of a host and port; its scheme tells clients whether to encrypt. */
    public Location location(String name, int port) {
        return tls == null ? Location.forGrpcInsecure(name, port) : Location.forGrpcTls(name, port);
    }

    private void secure(FlightServer.Builder builder) {
        if (tls == null) {
            return;
        }
        try {
            builder.useTls(new File(tls.certificate()), new File(tls.key()));
        } catch (IOException e) {
            throw new UserException(
                    "the files of security.tls cannot be read on the host "
                            + host
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private String noFreePort() {
        String place = host.equals(bind) ? host : host + " (" + bind + ")";
        if (ports.isAny()) {
            return "the hand-off server of " + place + " can listen on no port at all";
        }
        return String.format(
                "the hand-off server of %s cannot listen on %s: end what uses %s, or set"
                        + " hand-off.ports to a range with a free port for each task of a host",
                place,
                ports.first() == ports.last()
                        ? "port " + ports + ", which is in use"
                        : "any of the ports " + ports + ", which are all in use",
                ports.first() == ports.last() ? "it" : "them");
    }

    /** The port of this server. */
    public int port() {
        return server.getPort();
    }

    @Override
    public void close() throws InterruptedException {
        try (rejected;
                network) {
            if (server != null) {
                server.close();
            }
        }
    }
}
