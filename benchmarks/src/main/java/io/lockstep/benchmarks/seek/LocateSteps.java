package io.lockstep.benchmarks.seek;

import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How long it takes to locate all samples of a step, each time of another epoch. The JVM starts
 * cold, and the first steps count.
 *
 * <p>Arguments: the number of row groups, and that of steps. Prints a JSON object with the
 * milliseconds of each step, by shuffle.
 */
public final class LocateSteps {

    private static final int BATCH = 4096;
    private static final int ROWS = 1_000;
    private static final long EPOCHS = 1_000_000;

    private LocateSteps() {}

    public static void main(String[] arguments) {
        measure(arguments, System.out);
    }

    private static void measure(String[] arguments, PrintStream out) {
        int rowGroups = Integer.parseInt(arguments[0]);
        int steps = Integer.parseInt(arguments[1]);
        long[] rows = new long[rowGroups];
        Arrays.fill(rows, ROWS);
        StringBuilder json = new StringBuilder();
        for (Shuffle shuffle : Shuffle.values()) {
            json.append(json.isEmpty() ? "{" : ", ");
            json.append(String.format("\"%s\": [", shuffle));
            json.append(measure(new Order(settings(shuffle), rows), steps)).append(']');
        }
        out.println(json.append('}'));
    }

    private static OrderSettings settings(Shuffle shuffle) {
        int lanes = OrderSettings.defaultLanes(BATCH);
        int window = OrderSettings.defaultWindow(lanes);
        return new OrderSettings(7, lanes, BATCH, window, shuffle, Tail.DROP);
    }

    private static String measure(Order order, int steps) {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder taken = new StringBuilder();
        for (int i = 0; i < steps; i++) {
            long epoch = random.nextLong(EPOCHS);
            long step = random.nextLong(order.steps());
            long started = System.nanoTime();
            StepPlan plan = order.step(epoch, step);
            double millis = (System.nanoTime() - started) / 1e6;
            if (plan.epoch() != epoch || plan.step() != step) {
                throw new IllegalStateException("another step was located");
            }
            taken.append(i == 0 ? "" : ", ").append(String.format(Locale.ROOT, "%.3f", millis));
        }
        return taken.toString();
    }
}
