package io.lockstep.materialize;

import io.lockstep.Futures;
import io.lockstep.batch.StepBatch;
import io.lockstep.cache.Prefetches.Prefetch;
import io.lockstep.dataset.EpochTable;
import io.lockstep.order.LaneEpoch;
import io.lockstep.order.Slice;
import io.lockstep.order.Stretch;
import io.lockstep.order.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The open windows of one lane. A step takes three calls: {@link #prepare} makes its windows ready,
 * {@link #select} appends its rows to a selection, and {@link StepSelection#gather} copies them
 * together with the rows of other lanes.
 *
 * <p>Any step of any epoch may be prepared next; windows that it does not need are closed, except
 * the one that follows. {@code select} must come before the next {@code prepare}; the gather need
 * not, since the selection keeps its windows pinned. Thread-safe, so that {@link #close} may be
 * called at any time.
 */
public final class LaneWindows implements AutoCloseable {

    private final Materializer stream;
    private final int lane;
    private final TreeMap<Integer, CompletableFuture<OpenWindow>> open = new TreeMap<>();
    private final Map<Integer, Prefetch> prefetched = new HashMap<>();
    private LaneEpoch epoch;
    private long prepared = -1;
    private boolean closed;

    LaneWindows(Materializer stream, int lane) {
        this.stream = stream;
        this.lane = lane;
    }

    /** The epoch of a position. */
    public EpochTable.Epoch epochAt(long position) {
        return stream.table().at(position);
    }

    /**
     * Completes when the windows of a step are open, or with the first failure. A gather that
     * failed with {@link io.lockstep.cache.DamagedRowGroupException} succeeds after preparing the
     * step again.
     *
     * @param position of the step, counted across epochs
     */
    public synchronized CompletableFuture<Void> prepare(long position) {
        checkOpen();
        prepared = position;
        EpochTable.Epoch at = epochAt(position);
        if (epoch == null || epoch.epoch() != at.epoch()) {
            closeAll();
            epoch = stream.order().laneEpoch(at.epoch(), lane);
        }
        SortedSet<Integer> needed = windowsOf(at.step(position));
        closeAllBut(needed, epoch.windowAfter(at.step(position)));
        List<CompletableFuture<OpenWindow>> opening = new ArrayList<>();
        for (int window : needed) {
            opening.add(openWindow(window));
        }
        return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new));
    }

    /** Whether all windows of a step are open or being opened. */
    public synchronized boolean isOpen(long position) {
        EpochTable.Epoch at = epochAt(position);
        return epoch != null
                && epoch.epoch() == at.epoch()
                && open.keySet().containsAll(windowsOf(at.step(position)));
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the windows of lane " + lane + " are closed");
        }
    }

    /**
     * Prefetches the window that the lane needs next, if it fits.
     *
     * @param position of the step that was prepared last
     */
    public synchronized void prefetchAfter(long position) {
        checkOpen();
        if (prepared != position) {
            return;
        }
        int next = epoch.windowAfter(epochAt(position).step(position));
        if (next >= 0 && !open.containsKey(next) && stream.hasRoomFor(epoch.windows().get(next))) {
            CompletableFuture<OpenWindow> opening =
                    stream.open(lane, epoch.epoch(), epoch.windows().get(next));
            open.put(next, opening);
            stream.prefetches().ifPresent(all -> prefetched.put(next, all.add(opening)));
        }
    }

    /**
     * Appends this lane's rows of a step. The last {@link #prepare} must have been for this step
     * and must have completed.
     *
     * @param into keeps their windows pinned
     */
    public synchronized void select(long position, StepSelection into) {
        checkOpen();
        if (prepared != position) {
            throw new IllegalStateException(
                    "lane " + lane + " is prepared for position " + prepared + ", not " + position);
        }
        for (Stretch stretch : epoch.stretches(epochAt(position).step(position))) {
            OpenWindow window = open.get(stretch.window()).join();
            into.hold(window);
            window.gathers(epochAt(position).step(position));
            append(window, stretch, into);
        }
    }

    /** {@link #select} and gather of this lane alone. The caller closes the batch. */
    public StepBatch gather(long position, BufferAllocator allocator) {
        try (StepSelection selection = stream.selection(epochAt(position).epoch(), 1)) {
            select(position, selection);
            return selection.gather(allocator);
        }
    }

    private void append(OpenWindow window, Stretch stretch, StepSelection into) {
        int[] slice = new int[stretch.count()];
        int[] row = new int[stretch.count()];
        window.order().read(stretch.from(), stretch.count(), slice, row, 0);
        List<Slice> slices = window.window().slices();
        int[] source = new int[slices.size()];
        long[] firstSample = new long[slices.size()];
        Arrays.fill(source, -1);
        for (int i = 0; i < row.length; i++) {
            int of = slice[i];
            if (source[of] < 0) {
                int rowGroup = slices.get(of).rowGroup();
                source[of] = into.source(rowGroup, window.source(of));
                firstSample[of] = stream.content().dataset().firstSampleOf(rowGroup);
            }
            into.add(source[of], row[i], firstSample[of], stretch.padding());
        }
    }

    private SortedSet<Integer> windowsOf(long step) {
        return epoch.stretches(step).stream()
                .map(Stretch::window)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Opens a window that is needed. One that could not be prefetched, was given up, or whose files
     * were damaged, is opened again.
     */
    private CompletableFuture<OpenWindow> openWindow(int number) {
        CompletableFuture<OpenWindow> opened = open.get(number);
        Prefetch prefetch = prefetched.remove(number);
        boolean given = prefetch != null && !prefetch.use();
        if (opened != null && !given && isUsable(opened)) {
            if (prefetch != null && !opened.isDone()) {
                Window window = epoch.windows().get(number);
                long at = epoch.epoch();
                opened =
                        opened.exceptionallyCompose(failure -> stream.openNeeded(lane, at, window));
                open.put(number, opened);
            }
            return opened;
        }
        close(number);
        CompletableFuture<OpenWindow> again =
                stream.openNeeded(lane, epoch.epoch(), epoch.windows().get(number));
        open.put(number, again);
        return again;
    }

    private static boolean isUsable(CompletableFuture<OpenWindow> window) {
        return !window.isCompletedExceptionally()
                && !(window.isDone() && window.join().isDamaged());
    }

    private void closeAllBut(SortedSet<Integer> needed, int next) {
        List<Integer> closing =
                open.keySet().stream()
                        .filter(window -> !needed.contains(window) && window != next)
                        .toList();
        closing.forEach(this::close);
    }

    private void closeAll() {
        List.copyOf(open.keySet()).forEach(this::close);
    }

    /** Closes a window, if it is open. */
    private void close(int number) {
        Prefetch prefetch = prefetched.remove(number);
        CompletableFuture<OpenWindow> opened = open.remove(number);
        boolean given = prefetch != null && !prefetch.use();
        if (opened != null && !given) {
            Futures.close(opened);
        }
    }

    /** Closes the windows, including those still being opened. */
    @Override
    public synchronized void close() {
        closed = true;
        closeAll();
    }
}
