package io.lockstep.audit;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of the archive that one writer appends to. Used by one thread. */
final class OpenSegments {

    private static final Logger LOG = LoggerFactory.getLogger(OpenSegments.class);

    /** The digests per file: 1 MiB. */
    private static final long DIGESTS_A_SEGMENT = 1 << 16;

    /** The maximum number of growing files: those of the streams in use. */
    private static final int MAX_OPEN = 8;

    private final DigestFiles files;
    private final DigestRetention retention;
    private final String writer = UUID.randomUUID().toString();

    /** By stream. */
    private final Map<String, OpenSegment> open = new LinkedHashMap<>(MAX_OPEN, 0.75f, true);

    /** Files that no longer grow and are not written yet. */
    private final Deque<OpenSegment> full = new ArrayDeque<>();

    /** The last served epoch of each stream; absent before the first. */
    private final Map<String, Long> served = new HashMap<>();

    /** Streams that may have files beyond the retention. */
    private final Set<String> stale = new HashSet<>();

    private final Reserve reserve;
    private int segments;

    OpenSegments(DigestFiles files, DigestRetention retention) {
        this.files = files;
        this.reserve = new Reserve(files.root());
        this.retention = retention;
    }

    void add(DigestRow row) {
        OpenSegment segment = open.computeIfAbsent(row.stream(), this::begin);
        segment.add(row);
        if (segment.digests() >= DIGESTS_A_SEGMENT) {
            full.add(open.remove(row.stream()));
        }
        if (row.kind() == DigestRow.Kind.SERVED) {
            Long former = served.put(row.stream(), row.epoch());
            if (former == null || former != row.epoch()) {
                stale.add(row.stream());
            }
        }
        // Receipts arrive later, possibly after the retention of their epoch has ended.
        if (row.epoch() < firstKept(row.stream())) {
            stale.add(row.stream());
        }
    }

    void add(Gap gap) {
        open.computeIfAbsent(gap.stream(), this::begin).add(gap);
    }

    private OpenSegment begin(String stream) {
        segments++;
        return new OpenSegment(files, stream, writer + "-" + segments);
    }

    /** Writes all added rows and drops epochs beyond the retention. May be repeated. */
    void write() throws IOException {
        for (String stream : stale) {
            dropUnwritten(stream, firstKept(stream));
        }
        while (!full.isEmpty()) {
            write(full.peek());
            full.remove();
        }
        for (OpenSegment segment : List.copyOf(open.values())) {
            write(segment);
        }
        endSome();
        try {
            reserve.take();
        } catch (IOException e) {
            // The reserve is for a full disk, which the next write will detect; everything is
            // written at this point.
            LOG.debug("No room can be reserved below {}", files.root(), e);
        }
        for (String stream : Set.copyOf(stale)) {
            drop(stream, firstKept(stream));
            stale.remove(stream);
        }
    }

    /** The added rows that could not be written. */
    List<DigestRow> unwritten() {
        return Stream.concat(full.stream(), open.values().stream())
                .flatMap(segment -> segment.unwritten().stream())
                .toList();
    }

    /**
     * Ends it.
     *
     * @param gaps the steps with permanently lost records, to be written as gaps
     */
    void end(List<Gap> gaps) throws IOException {
        reserve.release();
        Map<String, List<Gap>> streams = gaps.stream().collect(Collectors.groupingBy(Gap::stream));
        for (Map.Entry<String, List<Gap>> lost : streams.entrySet()) {
            segments++;
            files.write(
                    new DigestSegment(lost.getKey(), List.of(), lost.getValue()),
                    writer + "-" + segments + "-1");
        }
    }

    private void write(OpenSegment segment) throws IOException {
        try {
            segment.write();
        } catch (IOException e) {
            if (segment.hasFile()
                    && !segment.isWritten()
                    && segment == open.get(segment.stream())) {
                OpenSegment next = begin(segment.stream());
                segment.moveRest(next);
                open.put(segment.stream(), next);
            }
            throw e;
        }
    }

    private long firstKept(String stream) {
        return retention.firstKept(served.getOrDefault(stream, 0L));
    }

    private void endSome() {
        Iterator<String> longestUnused = open.keySet().iterator();
        for (int surplus = open.size() - MAX_OPEN; surplus > 0; surplus--) {
            longestUnused.next();
            longestUnused.remove();
        }
    }

    private void dropUnwritten(String stream, long before) {
        OpenSegment segment = open.get(stream);
        if (segment != null) {
            segment.dropBefore(before);
        }
        for (OpenSegment some : full) {
            if (some.stream().equals(stream)) {
                some.dropBefore(before);
            }
        }
    }

    private void drop(String stream, long before) throws IOException {
        if (before > 0) {
            for (DigestFiles.Entry entry : files.entries(stream)) {
                if (entry.last().epoch() < before) {
                    DigestFiles.delete(entry.path());
                }
            }
        }
    }
}
