package io.lockstep.handoff.held;

import io.lockstep.source.GroupStep;
import java.util.ArrayList;
import java.util.List;

/** Actions that run after a lock has been released. */
final class DeferredActions {

    private final List<Runnable> actions = new ArrayList<>();

    void close(List<GroupStep> steps) {
        steps.forEach(step -> actions.add(step::close));
    }

    void add(Runnable action) {
        actions.add(action);
    }

    void run() {
        actions.forEach(Runnable::run);
    }
}
