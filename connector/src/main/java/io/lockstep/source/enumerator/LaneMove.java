package io.lockstep.source.enumerator;

import io.lockstep.source.split.LaneSplit;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Lanes on their way to one reader: which they are, and who has yet to let go of some. */
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

    /** Completes with the move: with null, or with the reason for which it was given up. */
    CompletableFuture<String> outcome() {
        return outcome;
    }

    /** The reader can take the lanes; those who have them are to let go. */
    void accept(LanePlacement placement) {
        accepted = true;
        awaited.putAll(lanes.stream().collect(Collectors.groupingBy(placement::owner)));
    }

    boolean isAccepted() {
        return accepted;
    }

    /** The readers that have yet to let go. */
    Collection<Integer> awaited() {
        return List.copyOf(awaited.keySet());
    }

    /** The lanes that a reader has let go, or has lost; each is told once. */
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

    /** For whom it waits, for people. */
    String words() {
        if (!accepted) {
            return String.format(
                    "waiting for reader %d to say whether it can take %s",
                    target, LaneSplit.words(lanes));
        }
        return awaited.entrySet().stream()
                .map(
                        reader ->
                                String.format(
                                        "waiting for reader %d to let go of %s",
                                        reader.getKey(), LaneSplit.words(reader.getValue())))
                .collect(Collectors.joining(", "));
    }
}
