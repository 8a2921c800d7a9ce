package io.lockstep.handoff.held;

import io.lockstep.source.LaneStep;
import java.util.ArrayList;
import java.util.List;

/** What is to be done when a lock has been given up. */
final class DeferredActions {

    private final List<Runnable> actions = new ArrayList<>();

    void close(List<LaneStep> steps) {
        steps.forEach(step -> actions.add(step::close));
    }

    void then(Runnable action) {
        actions.add(action);
    }

    void run() {
        actions.forEach(Runnable::run);
    }
}
