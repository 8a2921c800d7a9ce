package io.lockstep.audit;

import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads the digests of a run, also while it goes on: then what was durable when the reading began
 * is there. What several writers wrote is merged; the same record counts once. Thread-safe.
 */
public final class DigestArchive {

    private final DigestFiles files;

    public DigestArchive(RunDirectory run) {
        this.files = new DigestFiles(run);
    }

    /** The streams with a record, by name. */
    public List<String> streams() throws IOException {
        return files.streams();
    }

    /** The epochs of a stream with a record, ascending. */
    public List<Long> epochs(String stream) throws IOException {
        return files.epochs(stream);
    }

    /** The steps of an epoch with a record, ascending. */
    public RecordedSteps steps(String stream, long epoch) throws IOException {
        return RecordedSteps.open(files, stream, epoch);
    }

    /** What is recorded of a step. */
    public Optional<RecordedStep> lookup(String stream, long epoch, long step) throws IOException {
        RecordedStep found = new RecordedStep(stream, epoch, step);
        for (DigestRow row : RecordedSteps.open(files, stream, epoch).rowsOf(step, step + 1)) {
            found.add(row);
        }
        return found.lanes().isEmpty() ? Optional.empty() : Optional.of(found);
    }
}
