package io.lockstep.cli.launcher;

import io.lockstep.Futures;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;
import org.apache.flink.core.fs.Path;

/**
 * One launch of all ranks. If one fails, the others are asked to end, and killed if they do not.
 * Thread-safe.
 */
final class Launch implements AutoCloseable {

    private static final long GRACE_SECONDS = 10;

    private final String name;
    private final ProcessGroups groups = ProcessGroups.open();
    private final List<RankProcess> ranks = new ArrayList<>();
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private Outcome decided;
    private boolean stopping;

    private Launch(String name) {
        this.name = name;
    }

    /**
     * Starts all ranks.
     *
     * @param out shows what rank 0 writes to standard output
     * @param err shows what rank 0 writes to standard error, and what other ranks wait for; null if
     *     that goes to {@code out} as well
     */
    static Launch start(
            LaunchSpec spec,
            String name,
            OutputStream out,
            @Nullable OutputStream err,
            RankListener listener) {
        Launch launch = new Launch(name);
        try {
            launch.startRanks(spec, out, err);
        } catch (RuntimeException e) {
            launch.groups.close();
            throw e;
        }
        launch.watch(listener);
        return launch;
    }

    /** Completes with the outcome when every rank has ended. */
    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** Asks all ranks to end, and kills them after a grace period. Does not wait. */
    void stop() {
        decide(new Outcome.Stopped());
        signalAll();
    }

    /** Kills all remaining processes. */
    @Override
    public void close() {
        groups.close();
    }

    private void startRanks(LaunchSpec spec, OutputStream out, OutputStream err) {
        Map<String, String> common = TrainerEnvironment.common(spec, name);
        for (int rank = 0; rank < spec.ranks(); rank++) {
            Map<String, String> environment = new HashMap<>(common);
            environment.putAll(TrainerEnvironment.of(rank));
            RankLog log =
                    RankLog.create(
                            new Path(
                                    spec.runDirectory(),
                                    "logs/" + name + "/rank-" + rank + ".log"));
            boolean merged = !isShown(rank) || err == null;
            OutputStream terminal =
                    isShown(rank) ? out : new WaitingLines(rank, err == null ? out : err);
            Process process = groups.start(spec.command(), spec.directory(), environment, merged);
            ranks.add(new RankProcess(rank, process, log, terminal, merged ? null : err, groups));
        }
    }

    /** Whether a rank's output is shown as it is written. */
    private static boolean isShown(int rank) {
        return rank == 0;
    }

    private void watch(RankListener listener) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (RankProcess rank : ranks) {
            all.add(rank.ended().thenAccept(code -> ended(rank, code, listener)));
        }
        Futures.onFailure(
                CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                        .thenRun(() -> allEnded(listener)),
                outcome::completeExceptionally);
    }

    private void allEnded(RankListener listener) {
        Outcome decided = decide(new Outcome.Finished());
        if (decided instanceof Outcome.Finished) {
            listener.allFinished(name);
        }
        outcome.complete(decided);
    }

    private void ended(RankProcess rank, int code, RankListener listener) {
        if (code == 0) {
            listener.finished(name, rank.rank());
            return;
        }
        List<String> unseen = isShown(rank.rank()) ? List.of() : rank.log().lastLines();
        decide(new Outcome.Failed(rank.rank(), code, unseen, rank.log().path().getPath()));
        signalAll();
    }

    /** The first outcome wins; later ones are its consequences. */
    private synchronized Outcome decide(Outcome candidate) {
        if (decided == null) {
            decided = candidate;
        }
        return decided;
    }

    private void signalAll() {
        synchronized (this) {
            if (stopping) {
                return;
            }
            stopping = true;
        }
        signalLiving("TERM");
        Futures.onFailure(
                CompletableFuture.runAsync(
                        () -> signalLiving("KILL"),
                        CompletableFuture.delayedExecutor(GRACE_SECONDS, TimeUnit.SECONDS)),
                outcome::completeExceptionally);
    }

    private void signalLiving(String signal) {
        for (RankProcess rank : ranks) {
            if (!rank.ended().isDone()) {
                groups.signal(signal, rank.group());
            }
        }
    }
}
