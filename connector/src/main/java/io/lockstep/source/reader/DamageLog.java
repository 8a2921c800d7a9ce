package io.lockstep.source.reader;

import io.lockstep.materialize.DamageListener;
import io.lockstep.materialize.DamagedSteps;
import io.lockstep.run.DamageEntry;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs a warning for steps that may have been served with wrong rows, counts them, and records them
 * in the run directory for {@code lockstep verify}. Writes on its own thread.
 */
final class DamageLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DamageLog.class);
    private static final long CLOSE_SECONDS = 2;

    private final RunDirectory run;
    private final AtomicLong steps = new AtomicLong();
    private final ExecutorService writer =
            Executors.newSingleThreadExecutor(new ExecutorThreadFactory("lockstep-damage-log"));

    DamageLog(RunDirectory run) {
        this.run = run;
    }

    DamageListener of(String stream) {
        return damaged -> add(stream, damaged);
    }

    /** The number of steps of lanes that may have been served with wrong rows. */
    long steps() {
        return steps.get();
    }

    private void add(String stream, DamagedSteps damaged) {
        steps.addAndGet(damaged.to() - damaged.from() + 1);
        LOG.warn(
                "Steps {} to {} of epoch {} of stream '{}' may hold wrong rows of lane {}: {} while"
                        + " they were gathered from it. Check the disk of the cache, and repeat the"
                        + " training from a state before these steps.",
                damaged.from(),
                damaged.to(),
                damaged.epoch(),
                stream,
                damaged.lane(),
                damaged.cause());
        DamageEntry entry =
                new DamageEntry(
                        Instant.now().toString(),
                        stream,
                        damaged.lane(),
                        damaged.epoch(),
                        damaged.from(),
                        damaged.to(),
                        damaged.cause());
        writer.execute(() -> write(entry));
    }

    private void write(DamageEntry entry) {
        try {
            run.writeDamage(entry);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot record damaged steps in {}: {}", run.root(), entry, e);
        }
    }

    /** Waits briefly for pending writes. */
    @Override
    public void close() {
        writer.shutdown();
        try {
            if (!writer.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("Records of damaged steps in {} may be lost: it is slow.", run.root());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
