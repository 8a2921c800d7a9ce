package io.lockstep.benchmarks.handoff;

import io.lockstep.batch.Allocators;
import io.lockstep.handoff.server.HandoffServer;
import io.lockstep.handoff.server.HandoffSettings;
import io.lockstep.handoff.verbs.Upstream;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.LogEntry;
import io.lockstep.run.RunToken;
import io.lockstep.run.SinkEntry;
import io.lockstep.source.GroupStep;
import io.lockstep.source.feedback.Assignment;
import io.lockstep.source.feedback.Want;
import io.lockstep.source.split.LaneSplit;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A hand-off server of the project with ready steps instead of a job.
 *
 * <p>Arguments: steps per epoch, epochs; the token is in LOCKSTEP_TOKEN. Prints its address, {@code
 * host:port}, and exits when its input ends.
 */
public final class ReadyStepServer implements Upstream, AutoCloseable {

    private static final long GENERATION = 1;
    private static final String TASK = "benchmark-" + ProcessHandle.current().pid();

    private final Workload workload;
    private final ReadySteps steps;
    private final ExecutorService flink = Executors.newSingleThreadExecutor();
    private final HandoffServer server;

    private ReadyStepServer(Workload workload, RunToken token, BufferAllocator allocator)
            throws Exception {
        this.workload = workload;
        this.steps = new ReadySteps(workload, allocator);
        this.server =
                HandoffServer.start(
                        HandoffSettings.of("benchmark", TASK, token, "127.0.0.1", "127.0.0.1"),
                        this,
                        allocator);
        server.assigned(new Assignment(List.of(workload.info()), new TreeSet<>(lanes())));
        server.generation(GENERATION);
    }

    private List<LaneSplit> lanes() {
        return IntStream.range(0, workload.lanes())
                .mapToObj(lane -> new LaneSplit(Workload.STREAM, lane))
                .toList();
    }

    @Override
    public void want(List<Want> wants) {
        flink.execute(
                () ->
                        wants.stream()
                                .filter(want -> !want.isNone())
                                .forEach(want -> steps.take(want).forEach(this::offer)));
    }

    private void offer(GroupStep step) {
        server.offer(step);
    }

    @Override
    public CompletableFuture<Reply.OfRun> ask(Request.ToRun request, Duration hold) {
        return CompletableFuture.completedFuture(
                request instanceof Request.Register
                        ? new Reply.Registered(GENERATION)
                        : new Reply.Noted());
    }

    @Override
    public List<SinkEntry> sinks() {
        List<Integer> all = lanes().stream().map(LaneSplit::lane).collect(Collectors.toList());
        return List.of(
                new SinkEntry(0, server.uri(), "127.0.0.1", 0, TASK, Map.of(Workload.STREAM, all)));
    }

    @Override
    public void log(LogEntry entry) {
        throw new UnsupportedOperationException("nothing happens here that a log would hold");
    }

    private void announce(PrintStream out) {
        URI uri = URI.create(server.uri());
        out.println(uri.getHost() + ":" + uri.getPort());
    }

    @Override
    public void close() throws Exception {
        server.close();
        flink.shutdown();
        flink.awaitTermination(1, TimeUnit.MINUTES);
        steps.close();
    }

    public static void main(String[] arguments) throws Exception {
        Workload workload =
                new Workload(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        RunToken token = RunToken.ofEnvironment(System.getenv()).orElseThrow();
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                ReadyStepServer ready = new ReadyStepServer(workload, token, allocator)) {
            ready.announce(System.out);
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
