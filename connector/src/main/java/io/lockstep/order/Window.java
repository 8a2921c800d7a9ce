package io.lockstep.order;

import java.util.List;

/** Consecutive slices of a lane whose rows are shuffled together. Immutable. */
public final class Window {

    private final OrderSettings settings;
    private final long epoch;
    private final int lane;
    private final int number;
    private final long firstPosition;
    private final List<Slice> slices;
    private final int rows;

    Window(
            OrderSettings settings,
            long epoch,
            int lane,
            int number,
            long firstPosition,
            Slice[] slices) {
        this.settings = settings;
        this.epoch = epoch;
        this.lane = lane;
        this.number = number;
        this.firstPosition = firstPosition;
        this.slices = List.of(slices);
        long total = 0;
        for (Slice slice : slices) {
            total += slice.rows();
        }
        checkRows(number, lane, total);
        this.rows = (int) total;
    }

    /**
     * @throws OrderException if a window would have too many rows
     */
    static void checkRows(int number, int lane, long rows) {
        if (rows > Integer.MAX_VALUE) {
            throw new OrderException(
                    "window "
                            + number
                            + " of lane "
                            + lane
                            + " would mix "
                            + rows
                            + " rows, and can mix 2147483647: choose more lanes or a smaller window");
        }
    }

    public int number() {
        return number;
    }

    /** Returns the lane position of the first row. */
    public long firstPosition() {
        return firstPosition;
    }

    public int rows() {
        return rows;
    }

    public List<Slice> slices() {
        return slices;
    }

    /** Computes the order of the rows. Takes time and 4 bytes of memory per row. */
    public WindowOrder permute() {
        int[] order = null;
        if (settings.shuffle().permutes()) {
            long index = ((long) lane << 32) | number;
            order =
                    RandomStream.permutation(
                            rows, RandomKey.derive(settings.seed(), "window", epoch, index));
        }
        return new WindowOrder(slices, rows, order);
    }
}
