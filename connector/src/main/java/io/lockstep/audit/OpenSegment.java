package io.lockstep.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.fs.Path;

/**
 * A file of the archive that still grows: each time, a longer one under a new name takes the place
 * of the former. Used by one thread.
 */
final class OpenSegment {

    private final DigestFiles files;
    private final String stream;
    private final long epoch;
    private final String name;
    private final List<DigestRow> rows = new ArrayList<>();

    /** Each once, which saves memory and makes it quick to see that two rows have the same. */
    private final Map<List<Integer>, List<Integer>> lanes = new HashMap<>();

    private Path written;
    private int versions;
    private long digests;
    private boolean changed;

    /**
     * @param name never used before in this run
     */
    OpenSegment(DigestFiles files, String stream, long epoch, String name) {
        this.files = files;
        this.stream = stream;
        this.epoch = epoch;
        this.name = name;
    }

    void add(DigestRow row) {
        rows.add(row.withLanes(lanes.computeIfAbsent(row.lanes(), first -> first)));
        digests += row.lanes().size();
        changed = true;
    }

    /** How many digests it holds. */
    long digests() {
        return digests;
    }

    /** Writes what has been added. After a failure it may be called again. */
    void write() throws IOException {
        if (!changed) {
            return;
        }
        versions++;
        Path longer = files.write(new DigestSegment(stream, epoch, rows), name + "-" + versions);
        changed = false;
        Path former = written;
        written = longer;
        if (former != null) {
            DigestFiles.delete(former);
        }
    }
}
