package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last few states of each stream that the ranks have reported as part of durable model
 * checkpoints. An entry is complete once all ranks have reported. The newest entry is the one begun
 * last, not the one at the highest step, because trainers may have gone back. Not thread-safe.
 */
final class CommitLedger {

    /** The number of complete entries kept for each stream. */
    static final int KEPT = 3;

    private final SortedMap<Long, CommitEntry> entries = new TreeMap<>();

    /**
     * The entry that a report belongs to: the one that other ranks have begun, or a new one.
     *
     * @param report its number is ignored
     */
    CommitEntry open(CommitReport report) {
        Optional<CommitEntry> begun = newest(entries.values(), report);
        if (begun.isPresent() && !(begun.get().complete() && begun.get().hasOther(report))) {
            return begun.get();
        }
        long number = entries.isEmpty() ? 1 : entries.lastKey() + 1;
        CommitEntry entry = new CommitEntry(numbered(report, number));
        entries.put(number, entry);
        return entry;
    }

    private static Optional<CommitEntry> newest(
            Collection<CommitEntry> among, CommitReport matching) {
        return among.stream()
                .filter(entry -> entry.matches(matching))
                .reduce((former, later) -> later);
    }

    /** Removes an entry without durable reports. */
    void discardIfEmpty(long number) {
        CommitEntry entry = entries.get(number);
        if (entry != null && entry.reports().isEmpty()) {
            entries.remove(number);
        }
    }

    static CommitReport numbered(CommitReport report, long number) {
        return new CommitReport(
                number,
                report.stream(),
                report.generation(),
                report.world(),
                report.epoch(),
                report.step(),
                report.rank(),
                report.state(),
                report.generators());
    }

    /** Adds a durable report. */
    void add(CommitReport report) {
        entries.computeIfAbsent(report.number(), number -> new CommitEntry(report)).add(report);
    }

    /** Whether the ledger has no report in the place of this one. */
    boolean lacks(CommitReport report) {
        CommitEntry entry = entries.get(report.number());
        return entry == null
                || entry.matches(report) && entry.agrees(report) && !entry.has(report.rank());
    }

    boolean isComplete(long number) {
        CommitEntry entry = entries.get(number);
        return entry == null || entry.complete();
    }

    /** Removes entries older than the last {@link #KEPT} complete ones; returns their numbers. */
    List<Long> prune(String stream) {
        List<Long> complete =
                ofStream(stream).stream()
                        .filter(CommitEntry::complete)
                        .map(CommitEntry::number)
                        .toList();
        if (complete.size() <= KEPT) {
            return List.of();
        }
        long oldest = complete.get(complete.size() - KEPT);
        List<Long> gone =
                ofStream(stream).stream()
                        .map(CommitEntry::number)
                        .filter(number -> number < oldest)
                        .toList();
        gone.forEach(entries::remove);
        return gone;
    }

    private List<CommitEntry> ofStream(String stream) {
        return entries.values().stream().filter(entry -> entry.stream().equals(stream)).toList();
    }

    /** The newest complete entry of a stream. */
    Optional<CommitEntry> newest(String stream) {
        return ofStream(stream).stream()
                .filter(CommitEntry::complete)
                .reduce((former, later) -> later);
    }

    /** Incomplete entries after the newest complete one, ascending. */
    private List<CommitEntry> incomplete(String stream) {
        long complete = newest(stream).map(CommitEntry::number).orElse(0L);
        return ofStream(stream).stream().filter(entry -> entry.number() > complete).toList();
    }

    /**
     * Names ranks that do not commit. One incomplete entry is normal while the other ranks are on
     * their way; a second one of the same trainers is not.
     *
     * @param report durable by now
     */
    Optional<String> warning(CommitReport report) {
        List<CommitEntry> same =
                incomplete(report.stream()).stream()
                        .filter(entry -> entry.isOf(report.generation()))
                        .toList();
        return same.size() < 2 || isComplete(report.number())
                ? Optional.empty()
                : Optional.of(
                        same.get(0).missing()
                                + ", while others have gone on to a later one. Every rank commits"
                                + " each state: resume() returns only those that all ranks have"
                                + " committed");
    }

    /** Names ranks whose commits are missing from the newest entry; empty if it is complete. */
    Optional<String> warning(String stream) {
        return incomplete(stream).stream()
                .reduce((former, later) -> later)
                .map(
                        entry ->
                                entry.missing()
                                        + ", so resume() does not return it: every rank commits"
                                        + " each state");
    }

    /** All durable reports, by entry and rank. */
    List<CommitReport> reports() {
        List<CommitReport> reports = new ArrayList<>();
        entries.values().forEach(entry -> reports.addAll(entry.reports()));
        return reports;
    }
}
