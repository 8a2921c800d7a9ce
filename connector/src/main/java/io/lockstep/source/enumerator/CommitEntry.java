package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** One entry of the ledger: the reports of all ranks on one state. Not thread-safe. */
final class CommitEntry {

    private final CommitReport opening;
    private final Map<Integer, CommitReport> reports = new TreeMap<>();

    /** Opens the entry that this report belongs to, without adding the report. */
    CommitEntry(CommitReport opening) {
        this.opening = opening;
    }

    long number() {
        return opening.number();
    }

    String stream() {
        return opening.stream();
    }

    /** Whether a report has the same position and comes from the same trainers. */
    boolean matches(CommitReport report) {
        return opening.stream().equals(report.stream())
                && opening.generation() == report.generation()
                && opening.world() == report.world()
                && opening.epoch() == report.epoch()
                && opening.step() == report.step();
    }

    /** Whether a report has the same state as the other ranks' reports. */
    boolean agrees(CommitReport report) {
        return opening.state().equals(report.state());
    }

    void add(CommitReport report) {
        reports.put(report.rank(), report);
    }

    boolean complete() {
        return reports.size() == opening.world();
    }

    boolean isOf(long generation) {
        return opening.generation() == generation;
    }

    /** Says which ranks have not reported. */
    String missing() {
        List<String> ranks = new ArrayList<>();
        for (int rank = 0; rank < opening.world(); rank++) {
            if (!reports.containsKey(rank)) {
                ranks.add(String.valueOf(rank));
            }
        }
        return String.format(
                "the commit of epoch %d, step %d of stream '%s' is incomplete: %s %s not made it",
                opening.epoch(),
                opening.step(),
                opening.stream(),
                (ranks.size() == 1 ? "rank " : "ranks ") + String.join(", ", ranks),
                ranks.size() == 1 ? "has" : "have");
    }

    /** Whether the rank has already reported different generator states. */
    boolean hasOther(CommitReport report) {
        CommitReport known = reports.get(report.rank());
        return known != null && !Objects.equals(known.generators(), report.generators());
    }

    boolean has(int rank) {
        return reports.containsKey(rank);
    }

    /** The report for a rank with this number; rank 0's if there was no such rank. */
    CommitReport of(int rank) {
        return reports.getOrDefault(rank, reports.get(0));
    }

    List<CommitReport> reports() {
        return new ArrayList<>(reports.values());
    }
}
