package io.lockstep.cli.run;

import io.lockstep.batch.Allocators;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.launcher.Outcome;
import io.lockstep.cli.launcher.RankListener;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.protocol.HandoffException;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reports to the job that a rank which exited with code 0 has closed, even if it did not call
 * close. Thread-safe.
 */
final class CleanExits implements RankListener {

    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);

    private final RunDirectory run;
    private final Console console;
    private final Set<Integer> unregistered = ConcurrentHashMap.newKeySet();

    CleanExits(RunDirectory run, Console console) {
        this.run = run;
        this.console = console;
    }

    /** Whether a rank of the newest launch exited without ever having called the job. */
    boolean neverAttached() {
        return !unregistered.isEmpty();
    }

    @Override
    public void finished(String launch, int rank) {
        try {
            Optional<GenerationEntry> entry = run.readGeneration();
            if (entry.isEmpty()
                    || !entry.get().launch().equals(launch)
                    || entry.get().ranks().stream().noneMatch(member -> member.rank() == rank)) {
                unregistered.add(rank);
                console.print(
                        "rank "
                                + rank
                                + " ended with exit code 0 and has never attached to the job: does"
                                + " the trainers' command make a lockstep Loader?");
                return;
            }
            List<SinkEntry> sinks = run.readSinks();
            if (!sinks.isEmpty() && !entry.get().closed().contains(rank)) {
                close(sinks.get(0), entry.get().generation(), rank);
            }
        } catch (IOException e) {
            console.print("cannot read the run directory: " + e.getMessage());
        }
    }

    private void close(SinkEntry server, long generation, int rank) throws IOException {
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                HandoffClient client =
                        HandoffClient.connect(server, Credentials.of(run), allocator, CALL_LIMIT)) {
            client.close(generation, rank);
        } catch (FlightRuntimeException | HandoffException e) {
            // The server is gone or the run is complete: the end of the job tells which.
            console.print("rank " + rank + " could not be signed off: " + e.getMessage());
        }
    }

    @Override
    public void restarting(Outcome.Failed failed, int restart, int restarts) {
        unregistered.clear();
        failed.lastLines().forEach(console.err()::println);
        console.print(failed.describe());
        console.print("all ranks start again: restart " + restart + " of " + restarts);
    }
}
