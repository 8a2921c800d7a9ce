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
 * The record that a source emits to the writer chained to it: a handle to the rows of one step of
 * all lanes of a group, lane by lane.
 *
 * <p>The receiver owns the handle and must close it. Closing releases the batch's memory and
 * returns its bytes to the reader's budget. {@link #close()} is idempotent and may be called on any
 * thread.
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
     * @param position of the step, counted across epochs
     * @param epoch that contains the position
     * @param digests of the lanes; null if the run makes none
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

    /** The group that wanted the step; the rows depend only on the lanes. */
    public LaneGroup group() {
        return group;
    }

    /** The position of the step, counted across epochs. */
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

    /** The digests of the lanes, in order; empty if the run makes none. */
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
