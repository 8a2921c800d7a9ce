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

/** The files of the archive that one writer adds to. Used by one thread. */
final class OpenSegments {

    /** Of a file: 1 MiB of digests. */
    private static final long DIGESTS_A_SEGMENT = 1 << 16;

    /** Files that grow at a time: those of the streams that are in use. */
    private static final int MAX_OPEN = 8;

    private final DigestFiles files;
    private final DigestRetention retention;
    private final String writer = UUID.randomUUID().toString();

    /** By stream. */
    private final Map<String, OpenSegment> open = new LinkedHashMap<>(MAX_OPEN, 0.75f, true);

    /** Those that grow no more, and are not written yet. */
    private final Deque<OpenSegment> full = new ArrayDeque<>();

    /** Of each stream, the epoch that was served last; before the first, none. */
    private final Map<String, Long> served = new HashMap<>();

    /** Streams of which something may be there that is kept no longer. */
    private final Set<String> stale = new HashSet<>();

    private int segments;

    OpenSegments(DigestFiles files, DigestRetention retention) {
        this.files = files;
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
        // What trainers have consumed is told later, perhaps when it is kept no longer.
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

    /** Writes all that has been added, and drops what is kept no longer. May be repeated. */
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
        for (String stream : Set.copyOf(stale)) {
            drop(stream, firstKept(stream));
            stale.remove(stream);
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
