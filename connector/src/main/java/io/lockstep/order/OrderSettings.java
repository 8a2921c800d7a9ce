package io.lockstep.order;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings that, with the dataset, determine the order.
 *
 * @param seed an unsigned 64-bit number
 * @param lanes the number of lanes, part of the order for the whole run
 * @param batch samples of a step over all ranks, a multiple of {@code lanes}
 * @param window consecutive slices of a lane that are mixed row by row
 * @param shuffle how far the order mixes
 * @param tail what becomes of the rows that do not fill the last step
 */
public record OrderSettings(long seed, int lanes, int batch, int window, Shuffle shuffle, Tail tail)
        implements Serializable {

    private static final int MOST_DEFAULT_LANES = 64;

    /** By default a batch mixes at least this many row groups. */
    private static final int DEFAULT_MIX = 128;

    /**
     * @throws OrderException for a number below 1 and for lanes that do not divide the batch, with
     *     the nearest that do
     */
    public OrderSettings {
        requirePositive("batch", batch);
        requirePositive("lanes", lanes);
        requirePositive("window", window);
        if (batch % lanes != 0) {
            throw new OrderException(Refusals.notAMultiple(batch, lanes));
        }
    }

    /** The largest divisor of the batch up to 64. */
    public static int defaultLanes(int batch) {
        requirePositive("batch", batch);
        return Divisors.largestUpTo(batch, MOST_DEFAULT_LANES);
    }

    /** The least with which a batch mixes 128 row groups. */
    public static int defaultWindow(int lanes) {
        requirePositive("lanes", lanes);
        return 1 + (DEFAULT_MIX - 1) / lanes;
    }

    /** The settings by name, in the order of the fingerprint, with the seed unsigned. */
    public Map<String, String> toMap() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("seed", Long.toUnsignedString(seed));
        values.put("lanes", String.valueOf(lanes));
        values.put("batch", String.valueOf(batch));
        values.put("window", String.valueOf(window));
        values.put("shuffle", shuffle.toString());
        values.put("tail", tail.toString());
        return Collections.unmodifiableMap(values);
    }

    /** Samples that a lane gives to a step. */
    public int perLane() {
        return batch / lanes;
    }

    /** The numbers of ranks that divide the lanes, ascending. */
    public List<Integer> worldSizes() {
        return Divisors.of(lanes);
    }

    /**
     * The lanes of a rank, ascending.
     *
     * @param allowUneven whether ranks may have lanes of different number
     * @throws OrderException for a world that cannot share the lanes, with those that can
     */
    public int[] rankLanes(int rank, int world, boolean allowUneven) {
        return RankLanes.of(this, rank, world, allowUneven);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new OrderException(name + " is " + value + ": it must be at least 1");
        }
    }
}
