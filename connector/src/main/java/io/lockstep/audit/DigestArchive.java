package io.lockstep.audit;

import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Reads the digests of a run. While the run goes on, a read sees at least the records that were
 * durable when it began. Records of several writers are merged; equal records count once.
 * Thread-safe.
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
        SortedSet<Long> epochs = new TreeSet<>();
        for (DigestFiles.Entry entry : files.entries(stream)) {
            if (entry.first().epoch() == entry.last().epoch()) {
                epochs.add(entry.first().epoch());
                continue;
            }
            Optional<SegmentIndex> index = DigestFiles.readIndex(entry.path());
            if (index.isEmpty()) {
                return epochs(stream);
            }
            index.get().runs().forEach(run -> epochs.add(run.epoch()));
        }
        return List.copyOf(epochs);
    }

    /** The completeness of a stream's records. */
    public StreamProof proof(String stream) throws IOException {
        return StreamProof.of(files, stream);
    }

    /** The steps of a stream with a record, ascending by epoch and step. */
    public RecordedSteps steps(String stream) throws IOException {
        return RecordedSteps.open(files, stream, StepKey.FIRST, StepKey.END);
    }

    /** The steps of an epoch with a record, ascending. */
    public RecordedSteps steps(String stream, long epoch) throws IOException {
        return RecordedSteps.open(files, stream, new StepKey(epoch, 0), new StepKey(epoch + 1, 0));
    }

    /** The records of a step. */
    public Optional<RecordedStep> lookup(String stream, long epoch, long step) throws IOException {
        StepKey key = new StepKey(epoch, step);
        return RecordedSteps.open(files, stream, key, key.next()).next();
    }

    /** The last step with a record of that kind. Reads only the files that end there. */
    public Optional<StepKey> last(String stream, DigestRow.Kind kind) throws IOException {
        PriorityQueue<DigestFiles.Entry> furthestFirst =
                new PriorityQueue<>(Comparator.comparing(DigestFiles.Entry::last).reversed());
        furthestFirst.addAll(files.entries(stream));
        StepKey last = null;
        while (!furthestFirst.isEmpty()) {
            DigestFiles.Entry entry = furthestFirst.poll();
            if (last != null && !last.isBefore(entry.last())) {
                break;
            }
            if (entry.folder()) {
                furthestFirst.addAll(DigestFiles.open(entry));
                continue;
            }
            Optional<DigestSegment> segment = DigestFiles.read(entry.path());
            if (segment.isEmpty()) {
                return last(stream, kind);
            }
            for (DigestRow row : segment.get().rows()) {
                if (row.kind() == kind && (last == null || last.isBefore(row.key()))) {
                    last = row.key();
                }
            }
        }
        return Optional.ofNullable(last);
    }
}
