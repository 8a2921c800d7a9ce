package io.lockstep.source;

import io.lockstep.batch.StepBatch;
import io.lockstep.dataset.EpochTable;
import io.lockstep.digest.PackedDigests;
import io.lockstep.source.split.LaneGroup;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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
 *
 * <p>The reader may {@link #reclaim} the memory of a step that waits for its trainer, for a step
 * that is needed sooner. So the receiver must {@link #claim} the step before it reads the batch.
 */
@PublicEvolving
public final class GroupStep implements AutoCloseable {

    private enum State {
        WAITING,
        CLAIMED,
        CLOSED
    }

    private final LaneGroup group;
    private final long position;
    private final EpochTable.Epoch epoch;
    private final StepBatch batch;
    @Nullable private final PackedDigests digests;
    private final Consumer<GroupStep> onClose;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

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

    /** The rows; valid from {@link #claim} until {@link #close()}. */
    public StepBatch batch() {
        return batch;
    }

    /** The digests of the lanes, in order; empty if the run makes none. */
    public Optional<PackedDigests> digests() {
        return Optional.ofNullable(digests);
    }

    /**
     * Keeps the batch until {@link #unclaim} or {@link #close()}. Returns false if the step is
     * closed; the reader makes it again if it is still wanted.
     */
    public boolean claim() {
        return state.compareAndSet(State.WAITING, State.CLAIMED);
    }

    /** Ends a claim: the step waits for its trainer again. */
    public void unclaim() {
        state.compareAndSet(State.CLAIMED, State.WAITING);
    }

    /** Closes the step unless it is claimed. */
    public void reclaim() {
        if (state.compareAndSet(State.WAITING, State.CLOSED)) {
            release();
        }
    }

    /** Whether the step is neither claimed nor closed. */
    public boolean isWaiting() {
        return state.get() == State.WAITING;
    }

    @Override
    public void close() {
        if (state.getAndSet(State.CLOSED) != State.CLOSED) {
            release();
        }
    }

    private void release() {
        batch.close();
        onClose.accept(this);
    }

    @Override
    public String toString() {
        return group + " epoch " + epoch() + " step " + step();
    }
}
