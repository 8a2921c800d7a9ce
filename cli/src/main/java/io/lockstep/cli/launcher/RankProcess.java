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
     * @param out where what the process writes to standard output is shown
     * @param err where what it writes to standard error is shown; null where both come as one
     * @param groups buries what the process leaves behind
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
                        // A child that lives on would hold the output open.
                        .whenComplete((done, error) -> groups.bury(process.pid()))
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

    /** The number of the process and of its group. */
    long group() {
        return process.pid();
    }

    RankLog log() {
        return log;
    }

    /** The exit code, when all output has been taken. */
    CompletableFuture<Integer> ended() {
        return ended;
    }
}
