package io.lockstep.source.enumerator;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a checkpoint holds of a run: the sealed manifests by reference and the newest generation.
 * The rest is in the run directory or belongs to the trainers.
 *
 * @param manifests digest of each stream's manifest, by stream
 * @param generation the newest generation of trainers; 0 before the first
 */
public record EnumeratorState(SortedMap<String, String> manifests, long generation) {

    public EnumeratorState {
        manifests = new TreeMap<>(manifests);
    }

    static EnumeratorState initial() {
        return new EnumeratorState(new TreeMap<>(), 0);
    }
}
