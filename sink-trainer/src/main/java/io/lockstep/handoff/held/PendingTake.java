package io.lockstep.handoff.held;

import io.lockstep.source.GroupStep;
import java.util.concurrent.CompletableFuture;

/** A call that waits for a step. */
public record PendingTake(StepRequest request, CompletableFuture<GroupStep> result) {

    PendingTake(StepRequest request) {
        this(request, new CompletableFuture<>());
    }
}
