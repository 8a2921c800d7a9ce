package io.lockstep.order;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings that, with the dataset, determine the order.
 *
 * @param seed an unsigned 64-bit number
 * @param lanes the number of lanes, part of the order for the whole run
 * @param batch samples of a step over all ranks, a multiple of {@code lanes}
 * @param window consecutive slices of a lane that are mixed row by row
 */
public record OrderSettings(long seed, int lanes, int batch, int window, Shuffle shuffle, Tail tail)
        implements Serializable {

    private static final int MOST_DEFAULT_LANES = 64;

    /** By default a batch mixes at least this many row groups. */
    private static final int DEFAULT_MIX = 128;

    public OrderSettings {
        if (batch < 1) {
            throw new OrderException("batch is " + batch + ": it must be at least 1");
        }
        if (lanes < 1) {
            throw new OrderException("lanes is " + lanes + ": it must be at least 1");
        }
        if (window < 1) {
            throw new OrderException("window is " + window + ": it must be at least 1");
        }
        if (batch % lanes != 0) {
            throw new OrderException(
                    "batch "
                            + batch
                            + " is not a multiple of "
                            + lanes
                            + " lanes: choose "
                            + nearestDivisor(batch, lanes)
                            + " lanes, or a batch of "
                            + nearestMultiple(batch, lanes));
        }
    }

    /** The largest divisor of the batch up to 64. */
    public static int defaultLanes(int batch) {
        int lanes = Math.max(1, Math.min(batch, MOST_DEFAULT_LANES));
        while (batch % lanes != 0) {
            lanes--;
        }
        return lanes;
    }

    /** The least with which a batch mixes 128 row groups. */
    public static int defaultWindow(int lanes) {
        return Math.max(1, (DEFAULT_MIX + lanes - 1) / Math.max(1, lanes));
    }

    /** Samples that a lane gives to a step. */
    public int perLane() {
        return batch / lanes;
    }

    /** The numbers of ranks that divide the lanes, ascending. */
    public List<Integer> worldSizes() {
        List<Integer> sizes = new ArrayList<>();
        for (int world = 1; world <= lanes; world++) {
            if (lanes % world == 0) {
                sizes.add(world);
            }
        }
        return sizes;
    }

    private static int nearestDivisor(int batch, int lanes) {
        for (int distance = 1; ; distance++) {
            if (lanes > distance && batch % (lanes - distance) == 0) {
                return lanes - distance;
            }
            if (batch % (lanes + distance) == 0) {
                return lanes + distance;
            }
        }
    }

    private static long nearestMultiple(int batch, int lanes) {
        long below = (long) batch / lanes * lanes;
        return below > 0 && batch - below <= below + lanes - batch ? below : below + lanes;
    }
}
