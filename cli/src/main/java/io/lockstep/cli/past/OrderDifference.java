package io.lockstep.cli.past;

import io.lockstep.Plural;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.materialize.SampleIds;
import io.lockstep.order.Order;
import io.lockstep.order.StepPlan;
import io.lockstep.order.StepReader;
import java.io.IOException;
import java.util.Optional;

/** Finds the first position at which two orders have different samples. */
final class OrderDifference {

    private static final String NOTHING = "nothing";

    private final String stream;
    private final Order first;
    private final Order second;
    private final SampleIds firstIds;
    private final SampleIds secondIds;
    private final int epochs;

    OrderDifference(PlannedStream first, PlannedStream second) {
        this.stream = first.spec().name();
        this.first = first.order();
        this.second = second.order();
        this.firstIds = first.sampleIds(this.first);
        this.secondIds = second.sampleIds(this.second);
        this.epochs = Math.min(first.spec().epochs(), second.spec().epochs());
    }

    /** Compares the epochs that both runs have, step by step. */
    Optional<Difference> find() throws IOException {
        for (long epoch = 0; epoch < epochs; epoch++) {
            StepReader ours = new StepReader(first, epoch);
            StepReader theirs = new StepReader(second, epoch);
            for (long step = 0; step < Math.max(first.steps(), second.steps()); step++) {
                if (step >= first.steps() || step >= second.steps()) {
                    return Optional.of(end(epoch, step));
                }
                Optional<Difference> found = compare(ours.step(step), theirs.step(step));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private Difference end(long epoch, long step) {
        return new Difference(
                stream,
                epoch,
                step,
                0,
                0,
                null,
                null,
                steps(first),
                steps(second),
                "the epochs have another number of steps");
    }

    private static String steps(Order order) {
        return Plural.of(order.steps(), "step") + " an epoch";
    }

    private Optional<Difference> compare(StepPlan ours, StepPlan theirs) throws IOException {
        int lanes = Math.max(first.settings().lanes(), second.settings().lanes());
        int places = Math.max(first.settings().perLane(), second.settings().perLane());
        for (int lane = 0; lane < lanes; lane++) {
            for (int place = 0; place < places; place++) {
                String one = sample(first, firstIds, ours, lane, place);
                String other = sample(second, secondIds, theirs, lane, place);
                if (!one.equals(other)) {
                    return Optional.of(
                            new Difference(
                                    stream,
                                    ours.epoch(),
                                    ours.step(),
                                    lane,
                                    place,
                                    null,
                                    null,
                                    one,
                                    other,
                                    "the orders put other samples there"));
                }
            }
        }
        return Optional.empty();
    }

    private static String sample(Order order, SampleIds ids, StepPlan plan, int lane, int place)
            throws IOException {
        if (lane >= order.settings().lanes() || place >= order.settings().perLane()) {
            return NOTHING;
        }
        return "sample "
                + ids.sample(plan, lane, place)
                + (plan.isPadding(lane, place) ? " as padding" : "");
    }
}
