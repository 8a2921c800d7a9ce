package io.lockstep.audit;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The files of the archive that one writer adds to. Used by one thread. */
final class OpenSegments {

    /** Of a file: 1 MiB of digests. */
    private static final long DIGESTS_A_SEGMENT = 1 << 16;

    /** Files that grow at a time: those of the streams that are in use. */
    private static final int MAX_OPEN = 8;

    private record Epoch(String stream, long number) {}

    private final DigestFiles files;
    private final DigestRetention retention;
    private final String writer = UUID.randomUUID().toString();
    private final Map<Epoch, OpenSegment> open = new LinkedHashMap<>(MAX_OPEN, 0.75f, true);

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
        open.computeIfAbsent(new Epoch(row.stream(), row.epoch()), this::begin).add(row);
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

    private OpenSegment begin(Epoch epoch) {
        segments++;
        return new OpenSegment(files, epoch.stream(), epoch.number(), writer + "-" + segments);
    }

    /** Writes all that has been added, and drops what is kept no longer. May be repeated. */
    void write() throws IOException {
        for (OpenSegment segment : open.values()) {
            segment.write();
        }
        endSome();
        for (String stream : Set.copyOf(stale)) {
            drop(stream, firstKept(stream));
            stale.remove(stream);
        }
    }

    private long firstKept(String stream) {
        return retention.firstKept(served.getOrDefault(stream, 0L));
    }

    private void endSome() {
        open.values().removeIf(segment -> segment.digests() >= DIGESTS_A_SEGMENT);
        Iterator<Epoch> longestUnused = open.keySet().iterator();
        for (int surplus = open.size() - MAX_OPEN; surplus > 0; surplus--) {
            longestUnused.next();
            longestUnused.remove();
        }
    }

    private void drop(String stream, long before) throws IOException {
        if (before > 0) {
            open.keySet()
                    .removeIf(epoch -> epoch.stream().equals(stream) && epoch.number() < before);
            for (long epoch : files.epochs(stream)) {
                if (epoch < before) {
                    files.deleteEpoch(stream, epoch);
                }
            }
        }
    }
}
