package io.lockstep.source;

import io.lockstep.batch.LaneBatch;
import io.lockstep.dataset.EpochTable;
import io.lockstep.digest.Digest128;
import io.lockstep.source.split.LaneSplit;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * What a source emits and the writer chained behind it takes: a handle to one lane's rows of one
 * step.
 *
 * <p>Whoever takes the handle closes it. Closing releases the batch's memory and gives its bytes
 * back to the reader's budget; it may be done on any thread and more than once.
 */
@PublicEvolving
public final class LaneStep implements AutoCloseable {

    private final LaneSplit split;
    private final long generation;
    private final long position;
    private final EpochTable.Epoch epoch;
    private final LaneBatch batch;
    private final Digest128 digest;
    private final Consumer<LaneStep> onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param position of the step, counted on from epoch to epoch
     * @param epoch that the position is in
     * @param digest of the batch; null where none are made
     * @param onClose runs once, after the batch is released
     */
    public LaneStep(
            LaneSplit split,
            long generation,
            long position,
            EpochTable.Epoch epoch,
            LaneBatch batch,
            @Nullable Digest128 digest,
            Consumer<LaneStep> onClose) {
        this.split = split;
        this.generation = generation;
        this.position = position;
        this.epoch = epoch;
        this.batch = batch;
        this.digest = digest;
        this.onClose = onClose;
    }

    public LaneSplit split() {
        return split;
    }

    public String stream() {
        return split.stream();
    }

    public int lane() {
        return split.lane();
    }

    /** The generation of trainers that wanted it; the content does not depend on it. */
    public long generation() {
        return generation;
    }

    /** Counted on from epoch to epoch. */
    public long position() {
        return position;
    }

    public long epoch() {
        return epoch.epoch();
    }

    public long step() {
        return epoch.step(position);
    }

    /** The rows; valid until {@link #close()}. */
    public LaneBatch batch() {
        return batch;
    }

    /** The digest of the rows; none where the run makes none. */
    public Optional<Digest128> digest() {
        return Optional.ofNullable(digest);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            batch.close();
            onClose.accept(this);
        }
    }

    @Override
    public String toString() {
        return split.splitId() + " epoch " + epoch() + " step " + step();
    }
}
