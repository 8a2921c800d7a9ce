package io.lockstep.order;

import java.util.stream.IntStream;

/** Distributes the lanes over the ranks of a world. */
final class RankLanes {

    private RankLanes() {}

    /** Returns the first lane of a rank, floor(rank * lanes / world). */
    static int first(int rank, int world, int lanes) {
        return (int) ((long) rank * lanes / world);
    }

    static int[] of(OrderSettings settings, int rank, int world, boolean allowUneven) {
        int lanes = settings.lanes();
        if (world < 1) {
            throw new NoSuchPlaceException(
                    "the world size is " + world + ": it must be at least 1");
        }
        if (world > lanes) {
            throw new NoSuchPlaceException(Refusals.moreRanksThanLanes(settings, world));
        }
        if (lanes % world != 0 && !allowUneven) {
            throw new NoSuchPlaceException(Refusals.unevenRanks(settings, world));
        }
        if (rank < 0 || rank >= world) {
            throw new NoSuchPlaceException(
                    "rank "
                            + rank
                            + " is not one of a world of "
                            + world
                            + ": 0 to "
                            + (world - 1));
        }
        return IntStream.range(first(rank, world, lanes), first(rank + 1, world, lanes)).toArray();
    }
}
