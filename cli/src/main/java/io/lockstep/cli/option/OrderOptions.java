package io.lockstep.cli.option;

import io.lockstep.cli.console.UsageException;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import picocli.CommandLine.Option;

/** The settings of an order as options. */
public final class OrderOptions {

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "The global batch: samples per step over all ranks.")
    private Integer batch;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            description =
                    "The number of lanes. Default: the largest divisor of the batch up to 64.")
    private Integer lanes;

    @Option(
            names = "--window",
            paramLabel = "N",
            description =
                    "Row groups whose rows a lane shuffles together. Default: the least with lanes x"
                            + " window >= 128.")
    private Integer window;

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = SeedConverter.class,
            description = "The seed of the shuffle. Default: 0.")
    private Long seed;

    @Option(
            names = "--shuffle",
            paramLabel = "HOW",
            description = "How to shuffle: ${COMPLETION-CANDIDATES}. Default: lane.")
    private Shuffle shuffle;

    @Option(
            names = "--tail",
            paramLabel = "HOW",
            description =
                    "What to do with an incomplete last step: ${COMPLETION-CANDIDATES}. Default: drop.")
    private Tail tail;

    /** Whether any of them was given. */
    public boolean given() {
        return batch != null
                || lanes != null
                || window != null
                || seed != null
                || shuffle != null
                || tail != null;
    }

    /**
     * The settings, with defaults for the options that were not given.
     *
     * @throws UsageException if the batch size is missing, or the options do not fit together
     */
    public OrderSettings settings() {
        if (batch == null) {
            throw new UsageException("--batch is missing: a dataset's order needs the batch");
        }
        try {
            int ownLanes = lanes == null ? OrderSettings.defaultLanes(batch) : lanes;
            return new OrderSettings(
                    seed == null ? 0 : seed,
                    ownLanes,
                    batch,
                    window == null ? OrderSettings.defaultWindow(ownLanes) : window,
                    shuffle == null ? Shuffle.LANE : shuffle,
                    tail == null ? Tail.DROP : tail);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }
}
