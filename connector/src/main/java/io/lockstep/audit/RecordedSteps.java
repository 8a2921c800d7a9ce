package io.lockstep.audit;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.flink.core.fs.Path;

/**
 * The recorded steps of one epoch, one after the other, with as many of the archive's files in
 * memory as a few steps are recorded in. Not thread-safe.
 */
public final class RecordedSteps {

    /** Steps put together at a time. */
    private static final long WINDOW = 1024;

    private final DigestFiles files;
    private final String stream;
    private final long epoch;
    private final Map<Path, StepRange> ranges = new HashMap<>();
    private final Map<Path, List<DigestRow>> loaded = new HashMap<>();
    private final Deque<RecordedStep> ready = new ArrayDeque<>();
    private long from;

    private RecordedSteps(DigestFiles files, String stream, long epoch) {
        this.files = files;
        this.stream = stream;
        this.epoch = epoch;
    }

    static RecordedSteps open(DigestFiles files, String stream, long epoch) throws IOException {
        RecordedSteps steps = new RecordedSteps(files, stream, epoch);
        steps.list();
        return steps;
    }

    /** The next step that has a record; empty at the end. */
    public Optional<RecordedStep> next() throws IOException {
        while (ready.isEmpty()) {
            long reached = from;
            long first =
                    ranges.values().stream()
                            .filter(range -> range.last() >= reached)
                            .mapToLong(range -> Math.max(range.first(), reached))
                            .min()
                            .orElse(Long.MAX_VALUE);
            if (first == Long.MAX_VALUE) {
                return Optional.empty();
            }
            ready.addAll(steps(first, first + WINDOW));
            from = first + WINDOW;
            loaded.keySet().removeIf(file -> ranges.get(file).last() < from);
        }
        return Optional.of(ready.remove());
    }

    /**
     * The furthest step with a record of that kind. The files that end there are read, no others.
     */
    public OptionalLong last(DigestRow.Kind kind) throws IOException {
        OptionalLong last = OptionalLong.empty();
        for (Path file : furthestFirst()) {
            if (last.isPresent() && ranges.get(file).last() <= last.getAsLong()) {
                break;
            }
            Optional<DigestSegment> segment = DigestFiles.read(file);
            if (segment.isEmpty()) {
                list();
                return last(kind);
            }
            last =
                    LongStream.concat(
                                    last.stream(),
                                    segment.get().rows().stream()
                                            .filter(row -> row.kind() == kind)
                                            .mapToLong(DigestRow::step))
                            .max();
        }
        return last;
    }

    private List<Path> furthestFirst() {
        return ranges.keySet().stream()
                .sorted(Comparator.comparingLong((Path file) -> ranges.get(file).last()).reversed())
                .toList();
    }

    private Collection<RecordedStep> steps(long first, long end) throws IOException {
        Map<Long, RecordedStep> steps = new TreeMap<>();
        for (DigestRow row : rowsOf(first, end)) {
            steps.computeIfAbsent(row.step(), step -> new RecordedStep(stream, epoch, step))
                    .add(row);
        }
        return steps.values();
    }

    /** The rows of the steps from the first up to, not including, the end. */
    List<DigestRow> rowsOf(long first, long end) throws IOException {
        while (!load(first, end)) {
            // A file went since it was listed: what took its place holds its rows too.
            list();
        }
        List<DigestRow> rows = new ArrayList<>();
        for (List<DigestRow> some : loaded.values()) {
            some.stream().filter(row -> row.step() >= first && row.step() < end).forEach(rows::add);
        }
        return rows;
    }

    private boolean load(long first, long end) throws IOException {
        for (Map.Entry<Path, StepRange> file : ranges.entrySet()) {
            StepRange range = file.getValue();
            if (range.last() >= first
                    && range.first() < end
                    && !loaded.containsKey(file.getKey())) {
                Optional<DigestSegment> segment = DigestFiles.read(file.getKey());
                if (segment.isEmpty()) {
                    return false;
                }
                loaded.put(file.getKey(), segment.get().rows());
            }
        }
        return true;
    }

    private void list() throws IOException {
        Set<Path> present = new HashSet<>(files.segments(stream, epoch));
        ranges.keySet().retainAll(present);
        loaded.keySet().retainAll(present);
        for (Path file : present) {
            if (!ranges.containsKey(file)) {
                // One that has gone again was replaced; the next listing has what took its place.
                DigestFiles.readRange(file).ifPresent(range -> ranges.put(file, range));
            }
        }
    }
}
