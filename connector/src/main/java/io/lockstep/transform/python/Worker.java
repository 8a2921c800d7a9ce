package io.lockstep.transform.python;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.Futures;
import io.lockstep.python.PythonSettings;
import io.lockstep.transform.TransformException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker process and its socket. Used by one thread at a time; any thread may close it. */
final class Worker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

    private static final int PROTOCOL = 1;

    /** Imports of a busy or remote file system take long. */
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private final int number;
    private final WorkerProcess process;
    private final WorkerChannel channel;
    private volatile Duration exceeded;

    private Worker(int number, WorkerProcess process, WorkerChannel channel) {
        this.number = number;
        this.process = process;
        this.channel = channel;
        process.onExit(this::closeChannel);
    }

    /**
     * Starts a worker and waits until it is ready.
     *
     * @throws TransformException if the interpreter cannot run workers
     * @throws WorkerLostException if it was killed
     */
    static Worker start(int number, PythonSettings settings, WorkerFolder folder)
            throws IOException {
        Path socket = folder.socket(number);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            WorkerProcess process = WorkerProcess.start(number, settings, folder.code(), socket);
            process.onExit(() -> close(server));
            CompletableFuture<Void> limit = within(START_LIMIT, process::kill);
            try {
                Worker worker = new Worker(number, process, new WorkerChannel(server.accept()));
                worker.greet();
                return worker;
            } catch (IOException e) {
                String ended = process.ended();
                if (process.exited()) {
                    throw new TransformException(
                            "the Python interpreter '"
                                    + settings.interpreter()
                                    + "' cannot run functions: install the package lockstep in its"
                                    + " environment, or set python.command to one that has it. Its"
                                    + " worker "
                                    + ended
                                    + process.printed(),
                            e);
                }
                throw new WorkerLostException(ended + process.printed(), e);
            } finally {
                limit.complete(null);
            }
        }
    }

    private void greet() throws IOException {
        JsonNode hello = channel.receive();
        if (hello.path("protocol").asInt() != PROTOCOL) {
            close();
            throw new TransformException(
                    "the package lockstep of the Python interpreter is of another release than the"
                            + " job: install the same");
        }
        LOG.info("The Python worker {} runs in the process {}: {}", number, process.pid(), hello);
    }

    /**
     * Calls a function.
     *
     * @param call the frame
     * @param rows which the caller closes
     * @param limit after which it counts as hanging
     * @return whose rows the caller closes
     * @throws WorkerLostException if the worker died or hung; it must be closed then
     */
    Answer call(byte[] call, VectorSchemaRoot rows, BufferAllocator allocator, Duration limit)
            throws WorkerLostException {
        CompletableFuture<Void> watch =
                within(
                        limit,
                        () -> {
                            exceeded = limit;
                            process.kill();
                        });
        try {
            channel.send(call);
            channel.send(rows);
            JsonNode answer = channel.receive();
            return answer.path("fault").isNull()
                    ? new Answer(channel.receiveRows(allocator), null)
                    : new Answer(null, FunctionFault.of(answer.path("fault")));
        } catch (IOException e) {
            closeChannel();
            String ended = process.ended();
            throw new WorkerLostException(
                    (exceeded == null ? ended : "did not answer within " + words(exceeded))
                            + process.printed(),
                    e);
        } finally {
            watch.complete(null);
        }
    }

    private static String words(Duration limit) {
        return limit.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    /** Runs an action after a limit unless the returned future is completed before. */
    private static CompletableFuture<Void> within(Duration limit, Runnable action) {
        CompletableFuture<Void> done =
                new CompletableFuture<Void>().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
        Futures.onFailure(done, late -> action.run());
        return done;
    }

    private void closeChannel() {
        close(channel);
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            LOG.debug("A socket of a Python worker cannot be closed", e);
        }
    }

    /** Kills it. */
    @Override
    public void close() {
        process.kill();
        closeChannel();
    }
}
