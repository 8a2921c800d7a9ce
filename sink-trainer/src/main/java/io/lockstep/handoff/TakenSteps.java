package io.lockstep.handoff;

import io.lockstep.batch.LaneBatch;
import io.lockstep.batch.RankBatch;
import io.lockstep.source.LaneStep;
import java.util.List;

/**
 * The steps of all lanes of one request, off the shelf. Closing puts them back, unless they were
 * {@link #served}. Not thread-safe.
 */
final class TakenSteps implements AutoCloseable {

    private final StepShelf shelf;
    private final StepRequest request;
    private final List<LaneStep> steps;
    private boolean served;

    TakenSteps(StepShelf shelf, StepRequest request, List<LaneStep> steps) {
        this.shelf = shelf;
        this.request = request;
        this.steps = steps;
    }

    StepRequest request() {
        return request;
    }

    int rows() {
        return steps.stream().mapToInt(step -> step.batch().rows()).sum();
    }

    /** The lanes' rows as one batch; it reads the steps' memory. */
    RankBatch batch() {
        List<LaneBatch> batches = steps.stream().map(LaneStep::batch).toList();
        return RankBatch.layout(batches);
    }

    /** The trainer has a copy: the steps are wanted no longer, and closed. */
    void served() {
        served = true;
        shelf.served(request, steps);
    }

    @Override
    public void close() {
        if (!served) {
            shelf.putBack(steps);
        }
    }

    @Override
    public String toString() {
        return StepRequest.words(request.lanes(), request.epoch(), request.step());
    }
}
