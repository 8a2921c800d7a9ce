package io.lockstep.handoff.held;

import io.lockstep.source.LaneStep;
import io.lockstep.source.split.LaneSplit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A call that waits until all its lanes have a step. */
public record PendingTake(StepRequest request, CompletableFuture<List<LaneStep>> result) {

    PendingTake(StepRequest request) {
        this(request, new CompletableFuture<>());
    }

    public List<LaneSplit> lanes() {
        return request.lanes();
    }
}
