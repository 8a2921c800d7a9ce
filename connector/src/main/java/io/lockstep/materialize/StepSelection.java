package io.lockstep.materialize;

import io.lockstep.batch.RowSource;
import io.lockstep.batch.StepBatch;
import io.lockstep.cache.DamagedRowGroupException;
import io.lockstep.cache.MappingFaults;
import io.lockstep.cache.PinnedRowGroup.Check;
import io.lockstep.transform.StepSamples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The rows of one step, of one lane or several, and the windows that contain them. Lanes append
 * their rows one after the other with {@link LaneWindows#select}; then one gather copies them all.
 *
 * <p>The windows stay pinned until this is closed: a lane may prepare its next step, or close,
 * while this step is gathered. Used by one thread at a time; its creator closes it after the
 * gather.
 */
public final class StepSelection implements AutoCloseable {

    private final StepGather gather;
    private final StepSamples samples;
    private final int[] source;
    private final int[] row;
    private final long[] firstSample;
    private final byte[] weights;
    private final List<RowSource> sources = new ArrayList<>();
    private final Map<Integer, Integer> sourceOfRowGroup = new HashMap<>();
    private final List<OpenWindow> windows = new ArrayList<>();
    private int rows;

    /**
     * @param samples of the whole step, whose ids are filled in
     */
    StepSelection(StepGather gather, StepSamples samples) {
        int all = samples.ids().length;
        this.gather = gather;
        this.samples = samples;
        this.source = new int[all];
        this.row = new int[all];
        this.firstSample = new long[all];
        this.weights = new byte[all];
    }

    /** Retains a window until this is closed. */
    void hold(OpenWindow window) {
        windows.add(window.retain());
    }

    /**
     * The index of a row group's source in this selection, shared by all lanes that use the row
     * group.
     */
    int source(int rowGroup, RowSource rows) {
        Integer known = sourceOfRowGroup.putIfAbsent(rowGroup, sources.size());
        if (known != null) {
            return known;
        }
        sources.add(rows);
        return sources.size() - 1;
    }

    /**
     * Appends a row.
     *
     * @param first the first sample of its row group
     */
    void add(int ofSource, int inSource, long first, boolean padding) {
        source[rows] = ofSource;
        row[rows] = inSource;
        firstSample[rows] = first;
        weights[rows] = (byte) (padding ? 0 : 1);
        rows++;
    }

    /**
     * Copies the rows into one batch, in the order in which they were appended. The caller closes
     * it.
     *
     * @throws IllegalStateException unless all lanes have appended their rows
     * @throws io.lockstep.cache.DamagedRowGroupException if a file was changed meanwhile: prepare
     *     the step again
     */
    public StepBatch gather(BufferAllocator allocator) {
        if (rows != row.length) {
            throw new IllegalStateException(
                    rows + " of " + row.length + " rows of the step are selected");
        }
        check(Check.LENGTH);
        StepBatch batch = null;
        try {
            for (int i = 0; i < row.length; i++) {
                samples.ids()[i] = firstSample[i] + sources.get(source[i]).number(row[i]);
            }
            batch = gather.gather(sources, source, row, samples, weights, allocator);
            MappingFaults.raisePending();
        } catch (Throwable t) {
            if (batch != null) {
                batch.close();
            }
            MappingFaults.discardPending();
            // Damaged bytes where offsets are expected make a gather fail in any way.
            check(Check.CONTENT);
            throw t;
        }
        try {
            check(Check.CHANGE);
            return batch;
        } catch (Throwable t) {
            batch.close();
            throw t;
        }
    }

    /** Of all windows, so that one repetition of the step is enough. */
    private void check(Check check) {
        DamagedRowGroupException first = null;
        for (OpenWindow window : windows) {
            try {
                window.check(check);
            } catch (DamagedRowGroupException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Unpins the windows that have no other holder. Idempotent. */
    @Override
    public void close() {
        windows.forEach(OpenWindow::close);
        windows.clear();
    }
}
