package io.lockstep.cli.launcher;

import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import javax.annotation.Nullable;

/** One running rank. */
final class RankProcess {

    private final int rank;
    private final Process process;
    private final RankLog log;
    private final CompletableFuture<Integer> ended;

    /**
     * @param out shows the process's standard output
     * @param err shows its standard error; null if both streams are merged
     * @param groups kills the processes that it leaves behind
     */
    RankProcess(
            int rank,
            Process process,
            RankLog log,
            OutputStream out,
            @Nullable OutputStream err,
            ProcessGroups groups) {
        this.rank = rank;
        this.process = process;
        this.log = log;
        CompletableFuture<Void> output =
                Pump.start("rank-" + rank + "-output", process.getInputStream(), log, out);
        CompletableFuture<Void> errors =
                err == null
                        ? CompletableFuture.completedFuture(null)
                        : Pump.start(
                                "rank-" + rank + "-errors", process.getErrorStream(), log, err);
        this.ended =
                process.onExit()
                        // A surviving child process would keep the output open.
                        .whenComplete((done, error) -> groups.killRemaining(process.pid()))
                        .thenCombine(
                                CompletableFuture.allOf(output, errors),
                                (done, drained) -> {
                                    log.close();
                                    return done.exitValue();
                                });
    }

    int rank() {
        return rank;
    }

    /** The id of the process and of its group. */
    long group() {
        return process.pid();
    }

    RankLog log() {
        return log;
    }

    /** Completes with the exit code after all output has been read. */
    CompletableFuture<Integer> ended() {
        return ended;
    }
}
