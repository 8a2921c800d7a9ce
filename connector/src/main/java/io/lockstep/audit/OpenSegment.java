package io.lockstep.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.core.fs.Path;

/**
 * A file of the archive that still grows: each write replaces it with a longer file under a new
 * name. Used by one thread.
 */
final class OpenSegment {

    private final DigestFiles files;
    private final String stream;
    private final String name;

    /** The rows of the current file. */
    private List<DigestRow> written = new ArrayList<>();

    private StepRanges gapsWritten = new StepRanges();

    /** The rows that are not written yet. */
    private final List<DigestRow> fresh = new ArrayList<>();

    private final StepRanges gaps = new StepRanges();

    /** Interned lists of lanes, which saves memory and speeds up comparisons. */
    private final Map<List<Integer>, List<Integer>> lanes = new HashMap<>();

    private Path file;
    private int versions;
    private long digests;

    /**
     * @param name unique in this run
     */
    OpenSegment(DigestFiles files, String stream, String name) {
        this.files = files;
        this.stream = stream;
        this.name = name;
    }

    String stream() {
        return stream;
    }

    void add(DigestRow row) {
        fresh.add(row.withLanes(lanes.computeIfAbsent(row.lanes(), first -> first)));
        digests += row.lanes().size();
    }

    void add(Gap gap) {
        gaps.add(gap.epoch(), gap.from(), gap.to());
    }

    /** The number of digests that it holds. */
    long digests() {
        return digests;
    }

    /** The rows that are not written yet. */
    List<DigestRow> unwritten() {
        return fresh;
    }

    boolean isWritten() {
        return fresh.isEmpty() && gaps.size() == 0;
    }

    /**
     * Drops the rows and gaps of the epochs before the given one; the next write removes them from
     * the file.
     */
    void dropBefore(long epoch) {
        written.removeIf(row -> row.epoch() < epoch);
        fresh.removeIf(row -> row.epoch() < epoch);
        gapsWritten.removeBefore(epoch);
        gaps.removeBefore(epoch);
        digests =
                Stream.of(written, fresh)
                        .flatMap(List::stream)
                        .mapToLong(row -> row.lanes().size())
                        .sum();
    }

    /** Writes the added rows and gaps. May be called again after a failure. */
    void write() throws IOException {
        if (isWritten()) {
            return;
        }
        List<DigestRow> rows = new ArrayList<>(written);
        rows.addAll(fresh);
        StepRanges allGaps = new StepRanges();
        gapsWritten.of(stream).forEach(gap -> allGaps.add(gap.epoch(), gap.from(), gap.to()));
        gaps.of(stream).forEach(gap -> allGaps.add(gap.epoch(), gap.from(), gap.to()));
        versions++;
        Path longer =
                files.write(
                        new DigestSegment(stream, rows, allGaps.of(stream)), name + "-" + versions);
        written = rows;
        gapsWritten = allGaps;
        fresh.clear();
        gaps.clear();
        Path former = file;
        file = longer;
        if (former != null) {
            DigestFiles.delete(former);
        }
    }

    /** Whether a file with some of its rows exists. */
    boolean hasFile() {
        return file != null;
    }

    /**
     * Moves the unwritten rows to another segment, which needs less disk space than a longer file.
     */
    void moveRest(OpenSegment next) {
        fresh.forEach(next::add);
        gaps.of(stream).forEach(next::add);
        fresh.clear();
        gaps.clear();
    }
}
