package io.lockstep.materialize;

import io.lockstep.batch.Allocators;
import io.lockstep.dataset.Dataset;
import io.lockstep.filter.KeptRowsReader;
import io.lockstep.order.NoSuchPlaceException;
import io.lockstep.order.Order;
import io.lockstep.order.StepPlan;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import javax.annotation.Nullable;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Translates between the ids of samples and the numbers by which an order knows them: with a
 * filter, an order counts the kept rows only. Reads the filter's columns of the row groups that it
 * is asked about. Not thread-safe.
 */
public final class SampleIds {

    /** More than a step of the default settings mixes. */
    private static final int REMEMBERED = 512;

    private final Dataset dataset;
    private final Order order;

    /** Null if all rows are kept. */
    @Nullable private final KeptRowsReader reader;

    private final Map<Integer, int[]> recent =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Integer, int[]> eldest) {
                    return size() > REMEMBERED;
                }
            };

    SampleIds(Dataset dataset, Order order, @Nullable KeptRowsReader reader) {
        this.dataset = dataset;
        this.order = order;
        this.reader = reader;
    }

    /** The id of the sample at a place of a step. */
    public long sample(StepPlan plan, int lane, int place) throws IOException {
        if (reader == null) {
            return dataset.sample(plan.sample(lane, place));
        }
        int rowGroup = plan.rowGroup(lane, place);
        return dataset.firstSampleOf(rowGroup) + kept(rowGroup)[plan.row(lane, place)];
    }

    /** The id of the sample that the order knows by a number. */
    public long sample(long number) throws IOException {
        if (reader == null) {
            return dataset.sample(number);
        }
        int rowGroup = order.rowGroupOf(number);
        int row = (int) (number - order.firstSample(rowGroup));
        return dataset.firstSampleOf(rowGroup) + kept(rowGroup)[row];
    }

    /**
     * The number by which the order knows a sample; empty if the filter leaves it out.
     *
     * @throws NoSuchPlaceException if the dataset has no such sample
     */
    public OptionalLong inOrder(long sample) throws IOException {
        long row = sample - dataset.firstSample();
        if (row < 0 || row >= dataset.manifest().rows()) {
            throw new NoSuchPlaceException(
                    "there is no sample "
                            + Long.toUnsignedString(sample)
                            + ": the dataset has the samples "
                            + dataset.firstSample()
                            + " to "
                            + (dataset.firstSample() + dataset.manifest().rows() - 1));
        }
        if (reader == null) {
            return OptionalLong.of(row);
        }
        int rowGroup = dataset.manifest().rowGroupOf(row);
        int found =
                Arrays.binarySearch(
                        kept(rowGroup), (int) (row - dataset.manifest().firstRow(rowGroup)));
        return found < 0
                ? OptionalLong.empty()
                : OptionalLong.of(order.firstSample(rowGroup) + found);
    }

    private int[] kept(int rowGroup) throws IOException {
        int[] known = recent.get(rowGroup);
        if (known == null) {
            try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE)) {
                known = reader.read(rowGroup, allocator);
            }
            recent.put(rowGroup, known);
        }
        return known;
    }
}
