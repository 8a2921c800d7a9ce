package io.lockstep.audit;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.core.fs.Path;

/**
 * Iterates over the recorded steps of one stream across all epochs. Holds only the files in memory
 * that have a record of the next step. Not thread-safe.
 */
public final class RecordedSteps {

    /**
     * A source of the next rows: the rest of a file in memory, or a file or folder that is not
     * opened yet.
     *
     * @param key the next step that it may contain
     * @param rows of the file, ascending; null if it is not opened yet
     * @param next the next of these rows
     */
    private record Source(
            StepKey key, DigestFiles.Entry entry, @Nullable List<DigestRow> rows, int next) {

        boolean isUnopened() {
            return rows == null;
        }
    }

    private static final Comparator<Source> ORDER =
            Comparator.comparing(Source::key).thenComparing(source -> !source.isUnopened());

    private final DigestFiles files;
    private final String stream;
    private final StepKey end;
    private final PriorityQueue<Source> sources = new PriorityQueue<>(ORDER);

    /** All files that are opened or queued. */
    private final Set<Path> known = new HashSet<>();

    private StepKey from;
    private RecordedStep latest;

    private RecordedSteps(DigestFiles files, String stream, StepKey from, StepKey end) {
        this.files = files;
        this.stream = stream;
        this.from = from;
        this.end = end;
    }

    /** The steps of a range; the end is exclusive. */
    static RecordedSteps open(DigestFiles files, String stream, StepKey from, StepKey end)
            throws IOException {
        RecordedSteps steps = new RecordedSteps(files, stream, from, end);
        steps.list();
        return steps;
    }

    /** The next step that has a record; empty at the end. */
    public Optional<RecordedStep> next() throws IOException {
        openSources();
        if (sources.isEmpty()) {
            return Optional.empty();
        }
        StepKey key = sources.peek().key();
        RecordedStep step = new RecordedStep(stream, key.epoch(), key.step());
        while (!sources.isEmpty() && sources.peek().key().equals(key)) {
            Source source = sources.poll();
            int i = source.next();
            while (i < source.rows().size() && source.rows().get(i).key().equals(key)) {
                step.add(source.rows().get(i));
                i++;
            }
            addRows(source.entry(), source.rows(), i);
        }
        from = key.next();
        latest = step;
        return Optional.of(step);
    }

    /**
     * The records of a step, if any; skips earlier steps. Steps must be requested in ascending
     * order.
     */
    public Optional<RecordedStep> find(long epoch, long step) throws IOException {
        StepKey wanted = new StepKey(epoch, step);
        if (latest != null && latest.key().equals(wanted)) {
            return Optional.of(latest);
        }
        from = from.isBefore(wanted) ? wanted : from;
        while (!sources.isEmpty() && sources.peek().key().isBefore(from)) {
            Source source = sources.poll();
            if (source.isUnopened()) {
                addUnopened(source.entry());
            } else {
                addRows(source.entry(), source.rows(), source.next());
            }
        }
        openSources();
        return !sources.isEmpty() && sources.peek().key().equals(wanted)
                ? next()
                : Optional.empty();
    }

    /** Opens files until the next row is that of the next step. */
    private void openSources() throws IOException {
        while (!sources.isEmpty() && sources.peek().isUnopened()) {
            DigestFiles.Entry entry = sources.poll().entry();
            if (entry.folder()) {
                for (DigestFiles.Entry file : DigestFiles.open(entry)) {
                    addUnopened(file);
                }
                continue;
            }
            Optional<DigestSegment> segment = DigestFiles.read(entry.path());
            if (segment.isEmpty()) {
                // Its replacement contains its rows too.
                list();
                continue;
            }
            addRows(entry, segment.get().rows(), 0);
        }
    }

    private void addUnopened(DigestFiles.Entry entry) {
        if (entry.overlaps(from, end)) {
            StepKey first = entry.first().isBefore(from) ? from : entry.first();
            sources.add(new Source(first, entry, null, 0));
        }
    }

    /** Adds the rest of a file, starting at one of its rows. */
    private void addRows(DigestFiles.Entry entry, List<DigestRow> rows, int next) {
        int i = next;
        while (i < rows.size() && rows.get(i).key().isBefore(from)) {
            i++;
        }
        if (i < rows.size() && rows.get(i).key().isBefore(end)) {
            sources.add(new Source(rows.get(i).key(), entry, rows, i));
        }
    }

    private void list() throws IOException {
        List<DigestFiles.Entry> present = files.entries(stream);
        Set<Path> paths = new HashSet<>();
        present.forEach(entry -> paths.add(entry.path()));
        sources.removeIf(
                source ->
                        source.isUnopened()
                                && SegmentName.parse(source.entry().path().getName()).isPresent()
                                && !paths.contains(source.entry().path()));
        for (DigestFiles.Entry entry : present) {
            if (known.add(entry.path())) {
                addUnopened(entry);
            }
        }
    }
}
