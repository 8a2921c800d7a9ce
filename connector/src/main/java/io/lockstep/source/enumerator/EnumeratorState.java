package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of a run in a checkpoint: references to the sealed manifests, the newest generation,
 * and the ledger of committed states. All other state is in the run directory or belongs to the
 * trainers.
 *
 * @param manifests digest of each stream's manifest, by stream
 * @param fingerprints of each stream's order, by stream; absent in state of earlier releases
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
