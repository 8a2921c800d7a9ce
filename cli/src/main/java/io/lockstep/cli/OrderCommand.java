package io.lockstep.cli;

import io.lockstep.Plural;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.data.TargetOptions;
import io.lockstep.materialize.SampleIds;
import io.lockstep.order.Order;
import io.lockstep.order.StepPlan;
import io.lockstep.order.StepReader;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep order}: prints the sample ids of steps. */
@Command(
        name = "order",
        mixinStandardHelpOptions = true,
        description = {
            "Print the sample ids of steps, one JSON object per line and step.",
            "A line is {\"epoch\": E, \"step\": S, \"lanes\": [[ID, ...], ...]}; a padded place is [ID, true]."
        })
final class OrderCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private TargetOptions target;

    @Option(names = "--epoch", paramLabel = "E", description = "The epoch, from 0. Default: 0.")
    private long epoch;

    @Option(names = "--step", paramLabel = "S", description = "The first step, from 0. Default: 0.")
    private long step;

    @Option(names = "--steps", paramLabel = "N", description = "The number of steps. Default: 1.")
    private long steps = 1;

    @Option(names = "--json", description = "Accepted for consistency; the output is always JSON.")
    private boolean json;

    OrderCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        UsageException.checkAtLeast(1, "--steps", steps);
        PlannedStream planned = target.open(console);
        Order order = planned.order();
        checkSteps(order);
        SampleIds ids = planned.sampleIds(order);
        StepReader reader = new StepReader(order, epoch);
        for (long i = step; i < step + steps; i++) {
            console.out().print(line(order, reader.step(i), ids));
        }
        return 0;
    }

    /** Checks the arguments before anything is printed. */
    private void checkSteps(Order order) {
        order.checkStep(step);
        long left = order.steps() - step;
        if (steps > left) {
            throw new UsageException(
                    "--steps is "
                            + steps
                            + ": from step "
                            + step
                            + " on an epoch has "
                            + Plural.of(left, "step"));
        }
    }

    /** Uses the spacing of Python's {@code json.dumps}, so that outputs compare as text. */
    private static StringBuilder line(Order order, StepPlan plan, SampleIds ids)
            throws IOException {
        StringBuilder text = new StringBuilder(32 + order.settings().batch() * 8);
        text.append("{\"epoch\": ").append(plan.epoch());
        text.append(", \"step\": ").append(plan.step());
        text.append(", \"lanes\": [");
        for (int lane = 0; lane < order.settings().lanes(); lane++) {
            text.append(lane == 0 ? "[" : ", [");
            for (int place = 0; place < order.settings().perLane(); place++) {
                text.append(place == 0 ? "" : ", ");
                long sample = ids.sample(plan, lane, place);
                if (plan.isPadding(lane, place)) {
                    text.append('[').append(sample).append(", true]");
                } else {
                    text.append(sample);
                }
            }
            text.append(']');
        }
        return text.append("]}\n");
    }
}
