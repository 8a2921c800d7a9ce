package io.lockstep.cli.past;

import io.lockstep.audit.DigestArchive;
import io.lockstep.audit.RecordedStep;
import io.lockstep.audit.RecordedSteps;
import io.lockstep.order.Order;
import io.lockstep.order.Place;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where a run served its samples: by the order, with the archive's records where they exist. */
public final class SampleHistory {

    private final DigestArchive archive;
    private final String stream;
    private final Order order;

    public SampleHistory(DigestArchive archive, String stream, Order order) {
        this.archive = archive;
        this.stream = stream;
        this.order = order;
    }

    /**
     * The positions at which a sample was served, by epoch, step and lane.
     *
     * @param sample by the number by which the order knows it
     */
    public List<Serving> of(long sample) throws IOException {
        List<Serving> servings = new ArrayList<>();
        RecordedSteps steps = archive.steps(stream);
        for (long epoch : archive.epochs(stream)) {
            Place place = order.locate(epoch, sample);
            if (!place.dropped()) {
                serving(steps, epoch, place.step(), place.lane(), place.place(), false)
                        .ifPresent(servings::add);
            }
            if (order.settings().tail() == Tail.PAD) {
                servings.addAll(padding(steps, epoch, sample));
            }
        }
        return servings;
    }

    /** The position at which it pads the last step. */
    private List<Serving> padding(RecordedSteps steps, long epoch, long sample) throws IOException {
        List<Serving> servings = new ArrayList<>();
        StepPlan last = order.step(epoch, order.steps() - 1);
        for (int lane = 0; lane < order.settings().lanes(); lane++) {
            for (int place = 0; place < order.settings().perLane(); place++) {
                if (last.isPadding(lane, place) && last.sample(lane, place) == sample) {
                    serving(steps, epoch, last.step(), lane, place, true).ifPresent(servings::add);
                }
            }
        }
        return servings;
    }

    private Optional<Serving> serving(
            RecordedSteps steps, long epoch, long step, int lane, int place, boolean padding)
            throws IOException {
        Optional<RecordedStep> recorded = steps.find(epoch, step);
        return recorded.map(found -> found.lanes().get(lane))
                .map(evidence -> new Serving(epoch, step, lane, place, padding, evidence));
    }
}
