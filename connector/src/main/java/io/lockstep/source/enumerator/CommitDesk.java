package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import io.lockstep.run.CommitStore;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.feedback.TrainerReply;
import io.lockstep.source.feedback.TrainerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the trainers' commits: each is in the run directory before it is answered, and in the next
 * checkpoint. All methods run on the coordinator's thread.
 */
final class CommitDesk {

    private static final Logger LOG = LoggerFactory.getLogger(CommitDesk.class);

    /** What one rank's part of an entry may take: it goes into every checkpoint. */
    private static final int MOST_CHARACTERS = 64 << 10;

    /** Does slow work on another thread, and hands the outcome over on the coordinator's. */
    interface Slowly {
        <T> void call(Callable<T> work, BiConsumer<T, Throwable> outcome);
    }

    private final RunDirectory run;
    private final Slowly slowly;
    private final GenerationRegistry trainers;
    private final CommitLedger ledger = new CommitLedger();
    private List<CommitReport> checkpointed = List.of();
    private boolean ledgerIsRead;

    CommitDesk(RunDirectory run, Slowly slowly, GenerationRegistry trainers) {
        this.run = run;
        this.slowly = slowly;
        this.trainers = trainers;
    }

    /** Reads the ledger; commits are held off until it is there. */
    void restore(List<CommitReport> fromCheckpoint) {
        checkpointed = fromCheckpoint;
        slowly.call(this::readLedger, this::ledgerRead);
    }

    /**
     * The reports of the run directory and those of a checkpoint that it lacks, since the later
     * ones count: a directory may be newer than the checkpoint, or older. What the directory has
     * stays.
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

    private void ledgerRead(List<CommitReport> reports, Throwable failure) {
        if (failure != null) {
            throw new UncheckedIOException(
                    new IOException("cannot read the committed states in " + run.root(), failure));
        }
        reports.forEach(ledger::add);
        ledgerIsRead = true;
        reports.stream().map(CommitReport::stream).distinct().forEach(this::prune);
    }

    /** The ledger for a checkpoint; before it was read, what the last checkpoint held. */
    List<CommitReport> reports() {
        return ledgerIsRead ? ledger.reports() : checkpointed;
    }

    /** Makes a commit durable, then answers. */
    void commit(TrainerRequest.Commit commit, Consumer<TrainerReply> reply) {
        Optional<TrainerReply> refusal = refusal(commit);
        if (refusal.isPresent()) {
            reply.accept(refusal.get());
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
            reply.accept(
                    new TrainerReply.Refused(
                            "refused",
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
        slowly.call(
                () -> {
                    run.commits().write(numbered);
                    return numbered;
                },
                (written, failure) -> committed(numbered, failure, reply));
    }

    private Optional<TrainerReply> refusal(TrainerRequest.Commit commit) {
        Optional<TrainerReply> fenced = trainers.fence(commit.generation());
        if (fenced.isPresent()) {
            return fenced;
        }
        if (!ledgerIsRead) {
            return Optional.of(new TrainerReply.Pending("the ledger is still being read"));
        }
        int characters =
                commit.state().length()
                        + (commit.generators() == null ? 0 : commit.generators().length());
        return characters <= MOST_CHARACTERS
                ? Optional.empty()
                : Optional.of(
                        new TrainerReply.Refused(
                                "refused",
                                String.format(
                                        "the state of rank %d takes %,d characters, and a commit at most %,d:"
                                                + " leave %s out",
                                        commit.rank(),
                                        characters,
                                        MOST_CHARACTERS,
                                        commit.state().length() > MOST_CHARACTERS
                                                ? "what you have added to it"
                                                : "the generators (rng=False)")));
    }

    private void committed(CommitReport report, Throwable failure, Consumer<TrainerReply> reply) {
        if (failure != null) {
            LOG.warn("A commit could not be written", failure);
            reply.accept(
                    new TrainerReply.Pending(
                            "the commit cannot be written to the run directory "
                                    + run.root()
                                    + ": "
                                    + failure.getMessage()));
            return;
        }
        ledger.add(report);
        boolean complete = ledger.isComplete(report.number());
        if (complete) {
            LOG.info(
                    "Committed: stream '{}', epoch {}, step {}, generation {}",
                    report.stream(),
                    report.epoch(),
                    report.step(),
                    report.generation());
            prune(report.stream());
        }
        reply.accept(new TrainerReply.Committed(complete));
    }

    private void prune(String stream) {
        List<Long> gone = ledger.prune(stream);
        if (gone.isEmpty()) {
            return;
        }
        slowly.call(
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
    TrainerReply resume(TrainerRequest.Resume request) {
        Optional<TrainerReply> fenced = trainers.fence(request.generation());
        if (fenced.isPresent()) {
            return fenced.get();
        }
        if (!ledgerIsRead) {
            return new TrainerReply.Pending("the ledger is still being read");
        }
        return ledger.newest(request.stream())
                .map(entry -> entry.of(request.rank()))
                .map(
                        found ->
                                new TrainerReply.Resumed(
                                        found.generation(),
                                        found.world(),
                                        found.state(),
                                        found.generators()))
                .orElseGet(() -> new TrainerReply.Resumed(0, 0, null, null));
    }
}
