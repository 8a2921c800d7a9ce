package io.lockstep.order;

import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings that determine the order of a dataset.
 *
 * @param seed an unsigned 64-bit number
 * @param lanes the number of lanes, fixed for the whole run
 * @param batch the global batch size: samples per step over all ranks, a multiple of {@code lanes}
 * @param window the number of consecutive slices of a lane whose rows are shuffled together
 * @param shuffle the scope of shuffling
 * @param tail how to handle rows that do not fill the last step
 */
public record OrderSettings(long seed, int lanes, int batch, int window, Shuffle shuffle, Tail tail)
        implements Serializable {

    static final int MAX_DEFAULT_LANES = 64;

    /** The default window mixes at least this many row groups in a batch. */
    private static final int DEFAULT_MIX = 128;

    /**
     * @throws OrderException if a number is below 1, or if the lanes do not divide the batch; the
     *     message suggests the nearest valid values
     */
    public OrderSettings {
        requirePositive("batch", batch);
        requirePositive("lanes", lanes);
        requirePositive("window", window);
        if (batch % lanes != 0) {
            throw new OrderException(Refusals.notAMultiple(batch, lanes));
        }
    }

    /** Returns the largest divisor of the batch size up to 64. */
    public static int defaultLanes(int batch) {
        requirePositive("batch", batch);
        return Divisors.largestUpTo(batch, MAX_DEFAULT_LANES);
    }

    /** Returns the smallest window with which a batch mixes 128 row groups. */
    public static int defaultWindow(int lanes) {
        requirePositive("lanes", lanes);
        return 1 + (DEFAULT_MIX - 1) / lanes;
    }

    /** Returns the settings by name, in the order of the fingerprint; the seed is unsigned. */
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

    /** Returns the number of samples that a lane contributes to each step. */
    public int perLane() {
        return batch / lanes;
    }

    /** Returns what a single lane costs; empty with more lanes, or with nothing to share. */
    public Optional<String> warning() {
        return lanes > 1 || batch == 1 ? Optional.empty() : Optional.of(Refusals.oneLane(this));
    }

    /** Returns the world sizes that divide the lanes, ascending. */
    public List<Integer> worldSizes() {
        return Divisors.of(lanes);
    }

    /**
     * Returns the lanes of a rank, ascending.
     *
     * @param allowUneven whether ranks may have different numbers of lanes
     * @throws OrderException if the world size cannot share the lanes; the message lists those that
     *     can
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
