package io.lockstep.source.enumerator;

import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Request;
import io.lockstep.run.CommitReport;
import io.lockstep.run.CommitStore;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the trainers' commits. Each commit is durable in the run directory before it is
 * acknowledged, and is part of the next checkpoint. All methods run on the coordinator's thread.
 */
final class CommitCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(CommitCoordinator.class);

    /** The largest size of one rank's report; each checkpoint contains it. */
    private static final int MAX_CHARACTERS = 64 << 10;

    /**
     * The time after which a trainer gets the answer that its commit is not durable. A trainer may
     * have waited 3 s for its receipts before, and 10 s are promised in all.
     */
    static final Duration LIMIT = Duration.ofSeconds(6);

    /** The time after which a trainer is notified what its commit is waiting for. */
    private static final Duration REPORT_AFTER = Duration.ofSeconds(2);

    /** The limit of concurrent writes, so that a hanging file system cannot exhaust memory. */
    private static final int MAX_WRITES = 256;

    /** A rank's commit on its way to the run directory. */
    private static final class Write {

        private final CommitReport report;

        /** A repeated request replaces the earlier one. */
        private Caller caller;

        private String problem;
        private boolean over;

        Write(CommitReport report, Caller caller) {
            this.report = report;
            this.caller = caller;
        }
    }

    private final RunDirectory run;
    private final AsyncExecutor executor;
    private final GenerationRegistry trainers;
    private final CommitLedger ledger = new CommitLedger();
    private final List<Write> writes = new ArrayList<>();
    private int activeWrites;
    private final List<CommitReport> checkpointed;
    private boolean ledgerIsRead;

    /**
     * @param checkpointed the reports in the checkpoint that the job starts from
     */
    CommitCoordinator(
            RunDirectory run,
            AsyncExecutor executor,
            GenerationRegistry trainers,
            List<CommitReport> checkpointed) {
        this.checkpointed = checkpointed;
        this.run = run;
        this.executor = executor;
        this.trainers = trainers;
    }

    /** Reads the ledger; commits wait until it is loaded. */
    void restore() {
        executor.retry(
                this::readLedger,
                this::ledgerRead,
                failure ->
                        LOG.warn(
                                "Cannot read the committed states in {}; trying again",
                                run.root(),
                                failure));
    }

    /**
     * Merges the reports of the run directory with those that only the checkpoint has; the
     * directory may be newer or older than the checkpoint. Reports in the directory take
     * precedence.
     */
    private List<CommitReport> readLedger() throws IOException {
        CommitStore store = run.commits();
        List<CommitReport> reports = new ArrayList<>(store.readAll());
        CommitLedger present = new CommitLedger();
        reports.forEach(present::add);
        for (CommitReport report : checkpointed) {
            if (present.lacks(report)) {
                store.write(report);
                reports.add(report);
            }
        }
        return reports;
    }

    private void ledgerRead(List<CommitReport> reports) {
        reports.forEach(ledger::add);
        ledgerIsRead = true;
        reports.stream().map(CommitReport::stream).distinct().forEach(this::prune);
    }

    /**
     * The ledger for a checkpoint; until the ledger is read, the content of the last checkpoint.
     */
    List<CommitReport> reports() {
        return ledgerIsRead ? ledger.reports() : checkpointed;
    }

    /**
     * Makes a commit durable, then answers. If that takes longer than {@link #LIMIT}, answers with
     * the reason and abandons the commit.
     */
    void commit(Request.Commit commit, Caller caller) {
        Optional<Reply.OfRun> refusal = refusal(commit);
        if (refusal.isPresent()) {
            caller.reply(refusal.get());
            return;
        }
        CommitReport report =
                new CommitReport(
                        0,
                        commit.stream(),
                        commit.generation(),
                        trainers.world(),
                        commit.epoch(),
                        commit.step(),
                        commit.rank(),
                        commit.state(),
                        commit.generators());
        CommitEntry entry = ledger.open(report);
        if (!entry.agrees(report)) {
            caller.reply(
                    new Reply.Failure(
                            ErrorCode.REFUSED,
                            String.format(
                                    "rank %d commits another state of epoch %d, step %d of the stream '%s'"
                                            + " than the other ranks: all ranks commit the same state, but for"
                                            + " their generators",
                                    commit.rank(),
                                    commit.epoch(),
                                    commit.step(),
                                    commit.stream())));
            return;
        }
        CommitReport numbered = CommitLedger.numbered(report, entry.number());
        for (Write present : writes) {
            if (present.report.equals(numbered)) {
                present.caller = caller;
                return;
            }
        }
        Write write = new Write(numbered, caller);
        writes.add(write);
        write(write, AsyncExecutor.FIRST_PAUSE);
        if (!write.over) {
            executor.schedule(() -> reportDelay(write), REPORT_AFTER);
            executor.schedule(() -> abandon(write), LIMIT);
        }
    }

    private void write(Write write, Duration pause) {
        if (write.over) {
            return;
        }
        if (activeWrites >= MAX_WRITES) {
            failed(write, "it does not answer", pause);
            return;
        }
        activeWrites++;
        executor.call(
                () -> {
                    run.commits().write(write.report);
                    return write.report;
                },
                (written, failure) -> {
                    activeWrites--;
                    if (failure == null) {
                        committed(write);
                    } else {
                        failed(write, failure.getMessage(), pause);
                    }
                });
    }

    private void failed(Write write, String why, Duration pause) {
        write.problem =
                "the commit cannot be written to the run directory " + run.root() + ": " + why;
        if (!write.over) {
            LOG.warn("{}; trying again", write.problem);
            write.caller.delayed(write.problem);
            executor.schedule(() -> write(write, AsyncExecutor.longer(pause)), pause);
        }
    }

    private void reportDelay(Write write) {
        if (!write.over && write.problem == null) {
            write.caller.delayed(
                    "waiting for the run directory " + run.root() + " to take the commit");
        }
    }

    private void abandon(Write write) {
        if (write.over) {
            return;
        }
        end(write);
        ledger.discardIfEmpty(write.report.number());
        write.caller.reply(
                new Reply.Committed(
                        false,
                        false,
                        write.problem == null
                                ? String.format(
                                        "the run directory %s has not taken the commit within %d s",
                                        run.root(), LIMIT.toSeconds())
                                : write.problem,
                        null));
    }

    private void end(Write write) {
        write.over = true;
        writes.remove(write);
    }

    private Optional<Reply.OfRun> refusal(Request.Commit commit) {
        Optional<Reply.OfRun> fenced = trainers.fence(commit);
        if (fenced.isPresent()) {
            return fenced;
        }
        if (!ledgerIsRead) {
            return Optional.of(new Reply.Pending("the ledger is still being read"));
        }
        int characters =
                commit.state().length()
                        + (commit.generators() == null ? 0 : commit.generators().length());
        return characters <= MAX_CHARACTERS
                ? Optional.empty()
                : Optional.of(
                        new Reply.Failure(
                                ErrorCode.REFUSED,
                                String.format(
                                        "the state of rank %d takes %,d characters, and a commit at most %,d:"
                                                + " leave %s out",
                                        commit.rank(),
                                        characters,
                                        MAX_CHARACTERS,
                                        commit.state().length() > MAX_CHARACTERS
                                                ? "what you have added to it"
                                                : "the generators (rng=False)")));
    }

    private void committed(Write write) {
        CommitReport report = write.report;
        ledger.add(report);
        boolean complete = ledger.isComplete(report.number());
        if (complete) {
            LOG.debug(
                    "Committed: stream '{}', epoch {}, step {}, generation {}",
                    report.stream(),
                    report.epoch(),
                    report.step(),
                    report.generation());
            prune(report.stream());
        }
        if (!write.over) {
            end(write);
            write.caller.reply(
                    new Reply.Committed(true, complete, null, ledger.warning(report).orElse(null)));
        }
    }

    private void prune(String stream) {
        List<Long> gone = ledger.prune(stream);
        if (gone.isEmpty()) {
            return;
        }
        executor.call(
                () -> {
                    for (long number : gone) {
                        run.commits().delete(number);
                    }
                    return gone;
                },
                (deleted, failure) -> {
                    if (failure != null) {
                        LOG.warn("Replaced commits {} could not be deleted", gone, failure);
                    }
                });
    }

    /** The newest complete entry of a stream. */
    Reply.OfRun resume(Request.Resume request) {
        Optional<Reply.OfRun> fenced = trainers.fence(request);
        if (fenced.isPresent()) {
            return fenced.get();
        }
        if (!ledgerIsRead) {
            return new Reply.Pending("the ledger is still being read");
        }
        String warning = ledger.warning(request.stream()).orElse(null);
        return ledger.newest(request.stream())
                .map(entry -> entry.of(request.rank()))
                .map(
                        found ->
                                new Reply.Resumed(
                                        found.generation(),
                                        found.world(),
                                        found.state(),
                                        found.generators(),
                                        warning))
                .orElseGet(() -> new Reply.Resumed(0, 0, null, null, warning));
    }
}
