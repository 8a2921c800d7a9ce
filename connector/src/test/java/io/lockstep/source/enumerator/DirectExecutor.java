package io.lockstep.source.enumerator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;

/** Runs calls immediately on the caller's thread; tests advance the time. */
final class DirectExecutor implements AsyncExecutor {

    private record Scheduled(Runnable task, Duration due) {}

    private final List<Scheduled> scheduled = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private Duration now = Duration.ZERO;
    private boolean holding;

    @Override
    public <T> void call(Callable<T> work, BiConsumer<T, Throwable> outcome) {
        Runnable call =
                () -> {
                    T result;
                    try {
                        result = work.call();
                    } catch (Exception e) {
                        outcome.accept(null, e);
                        return;
                    }
                    outcome.accept(result, null);
                };
        if (holding) {
            held.add(call);
        } else {
            call.run();
        }
    }

    /** Makes calls hang until {@link #release}. */
    void hold() {
        holding = true;
    }

    void release() {
        holding = false;
        List<Runnable> calls = List.copyOf(held);
        held.clear();
        calls.forEach(Runnable::run);
    }

    @Override
    public void schedule(Runnable task, Duration delay) {
        scheduled.add(new Scheduled(task, now.plus(delay)));
    }

    /** Advances the time. */
    void advance(Duration by) {
        Duration until = now.plus(by);
        while (true) {
            Scheduled next =
                    scheduled.stream()
                            .filter(task -> task.due().compareTo(until) <= 0)
                            .min((one, other) -> one.due().compareTo(other.due()))
                            .orElse(null);
            if (next == null) {
                break;
            }
            scheduled.remove(next);
            now = next.due();
            next.task().run();
        }
        now = until;
    }

    @Override
    public void close() {
        scheduled.clear();
    }
}
