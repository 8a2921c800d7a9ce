package io.lockstep.dataset;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The length of each epoch of a stream, and the version of the dataset that it reads. The position
 * of a step is counted across epochs; only this table translates between position and (epoch,
 * step).
 *
 * <p>The epochs of a sealed dataset have equal lengths. Those of a growing dataset do not: {@link
 * #from} appends a longer version. Callers must not assume equal lengths. Immutable.
 */
public final class EpochTable implements Serializable {

    private static final long serialVersionUID = 1L;

    /** Epochs are numbered below this. */
    private static final long EPOCH_LIMIT = Integer.MAX_VALUE;

    /**
     * One epoch.
     *
     * @param epoch its number, from 0
     * @param first the position of its first step
     * @param steps the number of steps, at least one
     * @param rows of the dataset that it reads
     * @param version of the dataset, which is the manifest's digest
     */
    public record Epoch(long epoch, long first, long steps, long rows, String version)
            implements Serializable {

        /** The position after its last step. */
        public long end() {
            return first + steps;
        }

        /** The step at a position of this epoch. */
        public long step(long position) {
            return position - first;
        }
    }

    /** The first epoch of each run of equal epochs, ascending; the last run has no end. */
    private final List<Epoch> runs;

    private EpochTable(List<Epoch> runs) {
        this.runs = List.copyOf(runs);
    }

    /**
     * Equal epochs.
     *
     * @throws IllegalArgumentException if there is less than one step
     */
    public static EpochTable constant(long steps, long rows, String version) {
        return new EpochTable(List.of(run(0, 0, steps, rows, version)));
    }

    private static Epoch run(long epoch, long first, long steps, long rows, String version) {
        if (steps < 1 || rows < 1) {
            throw new IllegalArgumentException(
                    "an epoch of "
                            + steps
                            + " steps and "
                            + rows
                            + " rows: both must be at least 1");
        }
        return new Epoch(epoch, first, steps, rows, Objects.requireNonNull(version));
    }

    /**
     * Returns this table up to an epoch, followed by equal epochs of another version from that
     * epoch on.
     *
     * @param epoch later than in any earlier call
     * @throws IllegalArgumentException if it is not, or if there is less than one step
     */
    public EpochTable from(long epoch, long steps, long rows, String version) {
        if (epoch <= lastRun().epoch()) {
            throw new IllegalArgumentException(
                    "epoch " + epoch + " is not later than epoch " + lastRun().epoch());
        }
        List<Epoch> longer = new ArrayList<>(runs);
        longer.add(run(epoch, of(epoch).first(), steps, rows, version));
        return new EpochTable(longer);
    }

    /** Whether all epochs have the same steps, rows and version. */
    public boolean isConstant() {
        return runs.size() == 1;
    }

    /** The number of epochs, limited by the range of int for epochs and of long for positions. */
    public long count() {
        Epoch last = lastRun();
        long fitting = (Long.MAX_VALUE - last.first()) / last.steps();
        return last.epoch() + Math.min(EPOCH_LIMIT - last.epoch(), fitting);
    }

    /** Whether there is such an epoch. */
    public boolean has(long epoch) {
        return 0 <= epoch && epoch < count();
    }

    /**
     * An epoch by its number.
     *
     * @throws IndexOutOfBoundsException unless {@link #has} it
     */
    public Epoch of(long epoch) {
        if (!has(epoch)) {
            throw new IndexOutOfBoundsException(
                    "there is no epoch " + epoch + ": the epochs are 0 to " + (count() - 1));
        }
        return after(runOf(epoch, false), epoch);
    }

    /**
     * The epoch that a position is in.
     *
     * @throws IndexOutOfBoundsException if it is in none
     */
    public Epoch at(long position) {
        if (position >= 0) {
            Epoch run = runOf(position, true);
            long epoch = run.epoch() + (position - run.first()) / run.steps();
            if (has(epoch)) {
                return after(run, epoch);
            }
        }
        throw new IndexOutOfBoundsException("no epoch has a step at position " + position);
    }

    /**
     * The position of a step.
     *
     * @throws IndexOutOfBoundsException if the step does not exist
     */
    public long position(long epoch, long step) {
        Epoch of = of(epoch);
        if (step < 0 || step >= of.steps()) {
            throw new IndexOutOfBoundsException(
                    String.format(
                            "there is no step %d in epoch %d: it has the steps 0 to %d",
                            step, epoch, of.steps() - 1));
        }
        return of.first() + step;
    }

    /** The total steps of the first epochs, or of all epochs if there are fewer. */
    public long stepsOfFirst(long epochs) {
        return epochs < 1 ? 0 : of(Math.min(epochs, count()) - 1).end();
    }

    /**
     * Successive epochs; fewer than requested if the table ends before.
     *
     * @throws IndexOutOfBoundsException if the first one does not exist
     */
    public List<Epoch> range(long from, int count) {
        List<Epoch> epochs = new ArrayList<>();
        epochs.add(of(from));
        for (long epoch = from + 1; epochs.size() < count && has(epoch); epoch++) {
            epochs.add(of(epoch));
        }
        return epochs;
    }

    private Epoch lastRun() {
        return runs.get(runs.size() - 1);
    }

    /** The last run that begins at or before an epoch or a position. */
    private Epoch runOf(long key, boolean byPosition) {
        int low = 0;
        int high = runs.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            Epoch run = runs.get(middle);
            if ((byPosition ? run.first() : run.epoch()) <= key) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return runs.get(low);
    }

    /** Cannot overflow if {@link #has} returns true for the epoch. */
    private static Epoch after(Epoch run, long epoch) {
        long first = run.first() + (epoch - run.epoch()) * run.steps();
        return new Epoch(epoch, first, run.steps(), run.rows(), run.version());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EpochTable that && runs.equals(that.runs);
    }

    @Override
    public int hashCode() {
        return runs.hashCode();
    }

    @Override
    public String toString() {
        return runs.toString();
    }
}
