package io.lockstep.source.enumerator;

import io.lockstep.source.split.LaneSplit;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Lanes that are being moved to one reader, and the readers that have yet to release them. */
final class LaneMove {

    private final long id;
    private final int target;
    private final List<LaneSplit> lanes;
    private final SortedMap<Integer, List<LaneSplit>> awaited = new TreeMap<>();
    private final CompletableFuture<String> outcome = new CompletableFuture<>();
    private boolean accepted;

    LaneMove(long id, int target, List<LaneSplit> lanes) {
        this.id = id;
        this.target = target;
        this.lanes = lanes;
    }

    long id() {
        return id;
    }

    int target() {
        return target;
    }

    List<LaneSplit> lanes() {
        return lanes;
    }

    /** Completes when the move ends: with null if it succeeded, else with the reason. */
    CompletableFuture<String> outcome() {
        return outcome;
    }

    /** The target has accepted the lanes; their owners must now release them. */
    void accept(LanePlacement placement) {
        accepted = true;
        awaited.putAll(lanes.stream().collect(Collectors.groupingBy(placement::owner)));
    }

    boolean isAccepted() {
        return accepted;
    }

    /** The readers that have yet to release lanes. */
    Collection<Integer> awaited() {
        return List.copyOf(awaited.keySet());
    }

    /** Returns the lanes that a reader has released or lost; each lane once. */
    List<LaneSplit> free(int subtask) {
        List<LaneSplit> freed = awaited.remove(subtask);
        return freed == null ? List.of() : freed;
    }

    List<LaneSplit> awaitedOf(int subtask) {
        return awaited.get(subtask);
    }

    boolean isOver() {
        return accepted && awaited.isEmpty();
    }

    /** The readers that the move waits for, for messages. */
    String describe() {
        if (!accepted) {
            return String.format(
                    "waiting for reader %d to say whether it can take %s",
                    target, LaneSplit.describe(lanes));
        }
        return awaited.entrySet().stream()
                .map(
                        reader ->
                                String.format(
                                        "waiting for reader %d to release %s",
                                        reader.getKey(), LaneSplit.describe(reader.getValue())))
                .collect(Collectors.joining(", "));
    }
}
