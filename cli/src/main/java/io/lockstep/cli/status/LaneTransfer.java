package io.lockstep.cli.status;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.cli.console.Console;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.protocol.Request;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.BufferAllocator;

/** Moves lanes and waits until their new readers serve them. */
final class LaneTransfer {

    /**
     * Which lanes move where.
     *
     * @param lanes by stream
     * @param to readers
     */
    record Order(SortedMap<String, List<Integer>> lanes, List<Integer> to) {}

    private static final long PAUSE_MILLIS = 100;
    private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

    /** How long to wait while no server answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Limit of one call, which the server holds for a few seconds at most. */
    private static final Duration CALL_LIMIT = Duration.ofSeconds(15);

    private final RunDirectory run;
    private final Console console;
    private long answeredNanos = System.nanoTime();
    private long reportedNanos = System.nanoTime();

    LaneTransfer(RunDirectory run, Console console) {
        this.run = run;
        this.console = console;
    }

    /**
     * Returns when the new readers serve the lanes.
     *
     * @throws UserException if the lanes cannot be moved, or no server answers any more
     */
    void run(Order order) throws IOException, InterruptedException {
        List<SinkEntry> servers = run.readSinks();
        int turn = 0;
        while (!isDone(order, servers)) {
            String why = "no server has announced itself in " + run.root();
            if (!servers.isEmpty()) {
                why = ask(order, servers.get(turn++ % servers.size()));
            }
            wait(why);
            servers = run.readSinks();
        }
    }

    private static boolean isDone(Order order, List<SinkEntry> servers) {
        return order.lanes().entrySet().stream().allMatch(stream -> isDone(stream, order, servers));
    }

    private static boolean isDone(
            Map.Entry<String, List<Integer>> lanes, Order order, List<SinkEntry> servers) {
        List<Integer> there =
                servers.stream()
                        .filter(server -> order.to().contains(server.subtask()))
                        .flatMap(
                                server ->
                                        server
                                                .lanes()
                                                .getOrDefault(lanes.getKey(), List.of())
                                                .stream())
                        .toList();
        return there.containsAll(lanes.getValue());
    }

    /** Asks once; returns what the move still waits for. */
    private String ask(Order order, SinkEntry server) throws IOException {
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                HandoffClient client =
                        HandoffClient.connect(server, Credentials.of(run), allocator, CALL_LIMIT)) {
            answeredNanos = System.nanoTime();
            client.move(new Request.Move(order.lanes(), order.to()));
            return "waiting for the readers that got the lanes to announce them";
        } catch (NotYetException e) {
            answeredNanos = System.nanoTime();
            return e.getMessage();
        } catch (HandoffException e) {
            if (e.code() == ErrorCode.NOT_HERE) {
                return e.getMessage();
            }
            throw new UserException("the lanes cannot be moved: " + e.getMessage(), e);
        } catch (FlightRuntimeException e) {
            return "the server " + server.subtask() + " at " + server.uri() + " does not answer";
        }
    }

    private void wait(String why) throws InterruptedException {
        if (isOver(answeredNanos, PATIENCE)) {
            throw new UserException(
                    String.format(
                            "the lanes are not moved: %s, and nobody has answered for %d s; see"
                                    + " 'lockstep status %s', then ask again",
                            why, PATIENCE.toSeconds(), run.root()));
        }
        if (isOver(reportedNanos, REPORT_INTERVAL)) {
            reportedNanos = System.nanoTime();
            console.print("lockstep: " + why);
        }
        Thread.sleep(PAUSE_MILLIS);
    }

    private static boolean isOver(long sinceNanos, Duration limit) {
        return System.nanoTime() - sinceNanos > limit.toNanos();
    }
}
