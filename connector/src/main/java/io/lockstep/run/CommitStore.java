package io.lockstep.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * The ledger of committed states in the run directory: {@code commits/NUMBER/rank-RANK.json}. Only
 * the job's coordinator writes it.
 */
public final class CommitStore {

    private final Path root;

    CommitStore(Path root) {
        this.root = root;
    }

    /** Writes a report; replaces an earlier one of the same entry and rank. */
    public void write(CommitReport report) throws IOException {
        RunFiles.write(
                new Path(directory(report.number()), "rank-" + report.rank() + ".json"), report);
    }

    /**
     * All readable reports, of complete and incomplete entries, in no particular order. A report
     * that is damaged or of a later release is skipped with a warning, so its entry counts as
     * incomplete and the previous entry as the newest.
     */
    public List<CommitReport> readAll() throws IOException {
        List<CommitReport> reports = new ArrayList<>();
        for (FileStatus entry : RunFiles.list(root)) {
            reports.addAll(RunFiles.readAll(entry.getPath(), CommitReport.class));
        }
        return reports;
    }

    /** Removes an entry. */
    public void delete(long number) throws IOException {
        Path directory = directory(number);
        directory.getFileSystem().delete(directory, true);
    }

    private Path directory(long number) {
        return new Path(root, String.format("%08d", number));
    }
}
