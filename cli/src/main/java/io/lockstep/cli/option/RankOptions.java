package io.lockstep.cli.option;

import io.lockstep.cli.console.UsageException;
import io.lockstep.order.NoSuchPlaceException;
import io.lockstep.order.Order;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** Selects the part of a batch: one rank's, or the whole. */
public final class RankOptions {

    @Option(names = "--rank", paramLabel = "R", description = "Only the rows of this rank.")
    private Integer rank;

    @Option(names = "--world", paramLabel = "W", description = "The world size.")
    private Integer world;

    /**
     * The lanes of the selected part, ascending.
     *
     * @throws UsageException if only one of the two options is given
     * @throws NoSuchPlaceException if the lanes have no such part
     */
    public int[] lanes(Order order) {
        if ((rank == null) != (world == null)) {
            throw new UsageException("--rank and --world belong together");
        }
        return rank == null
                ? IntStream.range(0, order.settings().lanes()).toArray()
                : order.rankLanes(rank, world, false);
    }
}
