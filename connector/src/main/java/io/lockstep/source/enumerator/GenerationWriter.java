package io.lockstep.source.enumerator;

import io.lockstep.run.GenerationEntry;
import io.lockstep.run.LaunchEntry;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps {@code trainers/generation.json} up to date with the registry. Writes one state at a time
 * and retries until the write succeeds. All methods run on the coordinator's thread.
 */
final class GenerationWriter {

    private static final Logger LOG = LoggerFactory.getLogger(GenerationWriter.class);

    /** The time after which a caller is notified that its write is delayed. */
    private static final Duration REPORT_AFTER = Duration.ofSeconds(2);

    /**
     * @param version of the state that must be durable
     */
    private record Waiter(long version, Runnable durable, Consumer<String> delayed) {}

    private final RunDirectory run;
    private final AsyncExecutor executor;
    private final List<Waiter> waiters = new ArrayList<>();
    private GenerationEntry newest;
    private long version;
    private long durable;
    private boolean writing;
    private String problem;

    /** The last generation whose launch has been recorded. On the executor, one write at a time. */
    private volatile long recordedLaunch;

    GenerationWriter(RunDirectory run, AsyncExecutor executor) {
        this.run = run;
        this.executor = executor;
    }

    /** Restores the state from the run directory. */
    void restore(GenerationEntry present) {
        newest = present;
    }

    /**
     * Writes a state if it differs from the previous one.
     *
     * @param whenDurable runs once this state and all earlier ones are durable
     * @param delayed called with the reason if the write is delayed; may be called more than once
     */
    void write(GenerationEntry entry, Runnable whenDurable, Consumer<String> delayed) {
        if (!entry.equals(newest)) {
            newest = entry;
            version++;
        }
        if (version == durable) {
            whenDurable.run();
            return;
        }
        Waiter waiter = new Waiter(version, whenDurable, delayed);
        waiters.add(waiter);
        if (!writing) {
            writeNewest();
        } else if (problem != null) {
            delayed.accept(problem);
        }
        executor.schedule(() -> reportDelay(waiter), REPORT_AFTER);
    }

    private void reportDelay(Waiter waiter) {
        if (waiters.contains(waiter) && problem == null) {
            waiter.delayed().accept("waiting for the run directory " + run.root() + " to answer");
        }
    }

    private void writeNewest() {
        writing = true;
        GenerationEntry entry = newest;
        long written = version;
        executor.retry(
                () -> {
                    writeNow(entry);
                    return entry;
                },
                done -> written(written),
                this::failed);
    }

    private void writeNow(GenerationEntry entry) throws IOException {
        if (entry.generation() != recordedLaunch) {
            run.writeLaunch(
                    new LaunchEntry(
                            entry.generation(), entry.job(), entry.launch(), entry.world()));
            recordedLaunch = entry.generation();
        }
        run.writeGeneration(entry);
    }

    private void written(long now) {
        writing = false;
        problem = null;
        durable = now;
        List<Waiter> done = waiters.stream().filter(w -> w.version() <= durable).toList();
        waiters.removeAll(done);
        done.forEach(waiter -> waiter.durable().run());
        if (!writing && version > durable) {
            writeNewest();
        }
    }

    private void failed(Throwable failure) {
        if (problem == null) {
            LOG.warn("Cannot write to the run directory {}; trying again", run.root(), failure);
        }
        problem =
                "cannot write to the run directory "
                        + run.root()
                        + ": "
                        + failure.getMessage()
                        + "; trying again";
        List.copyOf(waiters).forEach(waiter -> waiter.delayed().accept(problem));
    }
}
