package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a checkpoint holds of a run: the sealed manifests by reference, the newest generation, and
 * the ledger of committed states. The rest is in the run directory or belongs to the trainers.
 *
 * @param manifests digest of each stream's manifest, by stream
 * @param fingerprints of each stream's order, by stream; earlier releases did not keep them
 * @param generation the newest generation of trainers; 0 before the first
 * @param commits the reports of the ledger, by entry and rank
 */
public record EnumeratorState(
        SortedMap<String, String> manifests,
        SortedMap<String, String> fingerprints,
        long generation,
        List<CommitReport> commits) {

    public EnumeratorState {
        manifests = new TreeMap<>(manifests);
        fingerprints = new TreeMap<>(fingerprints);
        commits = List.copyOf(commits);
    }

    static EnumeratorState initial() {
        return new EnumeratorState(new TreeMap<>(), new TreeMap<>(), 0, List.of());
    }
}
