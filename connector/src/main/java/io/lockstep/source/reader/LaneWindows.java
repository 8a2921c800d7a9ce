package io.lockstep.source.reader;

import io.lockstep.Futures;
import io.lockstep.batch.LaneBatch;
import io.lockstep.batch.RowSource;
import io.lockstep.dataset.EpochTable;
import io.lockstep.order.LaneEpoch;
import io.lockstep.order.Slice;
import io.lockstep.order.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The windows of one lane that are open, and the steps gathered from them.
 *
 * <p>Any step of any epoch may be asked for next; what it does not need is closed, but for the
 * window that follows. One caller at a time: the next call comes only after the former step's
 * gather.
 */
final class LaneWindows implements AutoCloseable {

    private final StreamContent stream;
    private final int lane;
    private final TreeMap<Integer, CompletableFuture<OpenWindow>> open = new TreeMap<>();
    private LaneEpoch epoch;

    LaneWindows(StreamContent stream, int lane) {
        this.stream = stream;
        this.lane = lane;
    }

    /** The epoch that a position is in. */
    EpochTable.Epoch epochAt(long position) {
        return stream.info().table().at(position);
    }

    /**
     * Completes when every row of a step is at hand.
     *
     * @param position of the step, counted on from epoch to epoch
     */
    synchronized CompletableFuture<Void> prepare(long position) {
        long ofEpoch = epochAt(position).epoch();
        if (epoch == null || epoch.epoch() != ofEpoch) {
            closeAll();
            epoch = stream.order().laneEpoch(ofEpoch, lane);
        }
        SortedSet<Integer> needed = windowsOf(position);
        closeAllBut(needed);
        List<CompletableFuture<OpenWindow>> opening = new ArrayList<>();
        for (int window : needed) {
            opening.add(openWindow(window));
        }
        return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new));
    }

    /**
     * Begins to open the window after the step's last one, if there is room for it in the store.
     */
    synchronized void prefetchAfter(long position) {
        int next = windowsOf(position).last() + 1;
        if (next < epoch.windows().size()
                && !open.containsKey(next)
                && stream.hasRoomFor(epoch.windows().get(next))) {
            // Kept, so that the step which needs it meets what is wrong with it.
            open.put(next, stream.open(epoch.windows().get(next)));
        }
    }

    /** Gathers a step that {@link #prepare} has made ready. The caller closes the batch. */
    synchronized LaneBatch gather(long position, BufferAllocator allocator) {
        int rows = stream.info().order().perLane();
        int[] source = new int[rows];
        int[] row = new int[rows];
        long[] samples = new long[rows];
        byte[] weights = new byte[rows];
        List<RowSource> sources = new ArrayList<>();
        Map<Integer, Integer> firstSource = new HashMap<>();
        long first = epochAt(position).step(position) * rows;
        int place = 0;
        while (place < rows) {
            long at = (first + place) % epoch.rows();
            int number = epoch.windowAt(at);
            OpenWindow opened = open.get(number).join();
            int base = firstSource.computeIfAbsent(number, absent -> addAll(sources, opened));
            int from = (int) (at - opened.window().firstPosition());
            int count = Math.min(rows - place, opened.order().rows() - from);
            fill(opened, from, count, base, place, source, row, samples);
            for (int i = 0; i < count; i++) {
                weights[place + i] = (byte) (first + place + i < epoch.rows() ? 1 : 0);
            }
            place += count;
        }
        return stream.gather().gather(sources, source, row, samples, weights, allocator);
    }

    private static int addAll(List<RowSource> sources, OpenWindow opened) {
        int base = sources.size();
        sources.addAll(opened.sources());
        return base;
    }

    private void fill(
            OpenWindow opened,
            int from,
            int count,
            int base,
            int place,
            int[] source,
            int[] row,
            long[] samples) {
        opened.order().read(from, count, source, row, place);
        List<Slice> slices = opened.window().slices();
        for (int i = place; i < place + count; i++) {
            samples[i] = stream.order().firstSample(slices.get(source[i]).rowGroup()) + row[i];
            source[i] += base;
        }
    }

    private SortedSet<Integer> windowsOf(long position) {
        int rows = stream.info().order().perLane();
        SortedSet<Integer> windows = new TreeSet<>();
        long place = epochAt(position).step(position) * rows;
        long end = place + rows;
        while (place < end) {
            long at = place % epoch.rows();
            int number = epoch.windowAt(at);
            if (!windows.add(number)) {
                break; // a lane shorter than a step has come round to where it began
            }
            Window window = epoch.windows().get(number);
            place += window.firstPosition() + window.rows() - at;
        }
        return windows;
    }

    private CompletableFuture<OpenWindow> openWindow(int number) {
        return open.computeIfAbsent(number, i -> stream.open(epoch.windows().get(i)));
    }

    private void closeAllBut(SortedSet<Integer> needed) {
        List<Integer> closing =
                open.keySet().stream()
                        .filter(window -> !needed.contains(window) && window != needed.last() + 1)
                        .toList();
        closing.forEach(window -> Futures.close(open.remove(window)));
    }

    private void closeAll() {
        open.values().forEach(Futures::close);
        open.clear();
    }

    @Override
    public synchronized void close() {
        closeAll();
    }
}
