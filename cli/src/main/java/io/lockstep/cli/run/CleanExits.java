package io.lockstep.cli.run;

import io.lockstep.batch.Allocators;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.launcher.Outcome;
import io.lockstep.cli.launcher.RankListener;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.NotYetException;
import io.lockstep.run.GenerationEntry;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.SinkEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reports to the job that a rank which exited with code 0 has closed, even if it did not call
 * close. Thread-safe.
 */
final class CleanExits implements RankListener {

    private static final Duration CALL_LIMIT = Duration.ofSeconds(60);
    private static final Duration RETRY_LIMIT = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 200;

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
            close(launch, rank);
        } catch (IOException e) {
            console.print("cannot read the run directory: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Closes ranks that are processes of the trainers' own, such as those of mp.spawn. */
    @Override
    public void allFinished(String launch) {
        try {
            Optional<GenerationEntry> entry = run.readGeneration();
            if (entry.isPresent() && entry.get().launch().equals(launch)) {
                for (GenerationEntry.Member member : entry.get().ranks()) {
                    close(launch, member.rank());
                }
            }
        } catch (IOException e) {
            console.print("cannot read the run directory: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Retries for a while: the job may be restarting. */
    private void close(String launch, int rank) throws IOException, InterruptedException {
        long end = System.nanoTime() + RETRY_LIMIT.toNanos();
        while (true) {
            Optional<GenerationEntry> entry = run.readGeneration();
            if (entry.isEmpty()
                    || !entry.get().launch().equals(launch)
                    || entry.get().closed().contains(rank)) {
                return;
            }
            String why = close(entry.get().generation(), rank);
            if (why == null) {
                return;
            }
            if (System.nanoTime() > end) {
                // The end of the job tells whether the run is complete.
                console.print("the job could not be told that rank " + rank + " is done: " + why);
                return;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Returns null, or why no server could be told. */
    @Nullable
    private String close(long generation, int rank) throws IOException {
        List<SinkEntry> sinks = run.readSinks();
        if (sinks.isEmpty()) {
            return "it has no server now";
        }
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                HandoffClient client =
                        HandoffClient.connect(
                                sinks.get(0), Credentials.of(run), allocator, CALL_LIMIT)) {
            client.close(generation, rank);
            return null;
        } catch (FlightRuntimeException | HandoffException | NotYetException e) {
            return e.getMessage();
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
