package io.lockstep.source;

import io.lockstep.batch.StepBatch;
import io.lockstep.dataset.EpochTable;
import io.lockstep.digest.PackedDigests;
import io.lockstep.source.split.LaneGroup;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * What a source emits and the writer chained behind it takes: a handle to the rows of one step of
 * all lanes of a group, one lane after the other.
 *
 * <p>Whoever takes the handle closes it. Closing releases the batch's memory and gives its bytes
 * back to the reader's budget; it may be done on any thread and more than once.
 */
@PublicEvolving
public final class GroupStep implements AutoCloseable {

    private final LaneGroup group;
    private final long position;
    private final EpochTable.Epoch epoch;
    private final StepBatch batch;
    @Nullable private final PackedDigests digests;
    private final Consumer<GroupStep> onClose;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param position of the step, counted on from epoch to epoch
     * @param epoch that the position is in
     * @param digests of the lanes; null where none are made
     * @param onClose runs once, after the batch is released
     */
    public GroupStep(
            LaneGroup group,
            long position,
            EpochTable.Epoch epoch,
            StepBatch batch,
            @Nullable PackedDigests digests,
            Consumer<GroupStep> onClose) {
        this.group = group;
        this.position = position;
        this.epoch = epoch;
        this.batch = batch;
        this.digests = digests;
        this.onClose = onClose;
    }

    /** Who wanted it; the rows depend on the lanes alone. */
    public LaneGroup group() {
        return group;
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
    public StepBatch batch() {
        return batch;
    }

    /** The digests of the lanes in order; none where the run makes none. */
    public Optional<PackedDigests> digests() {
        return Optional.ofNullable(digests);
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
        return group + " epoch " + epoch() + " step " + step();
    }
}
