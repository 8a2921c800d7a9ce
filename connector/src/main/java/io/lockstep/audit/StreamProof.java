package io.lockstep.audit;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The completeness of a stream's records.
 *
 * @param recorded steps with a record
 * @param gaps the steps with lost records, ascending
 */
public record StreamProof(long recorded, List<Gap> gaps) {

    /** Reads the indexes of a stream's files, and the files of format 1. */
    static StreamProof of(DigestFiles files, String stream) throws IOException {
        StepRanges recorded = new StepRanges();
        StepRanges lost = new StepRanges();
        for (DigestFiles.Entry entry : files.entries(stream)) {
            if (entry.folder()) {
                for (DigestFiles.Entry file : DigestFiles.open(entry)) {
                    DigestFiles.read(file.path())
                            .ifPresent(
                                    segment ->
                                            segment.rows()
                                                    .forEach(
                                                            row ->
                                                                    recorded.add(
                                                                            row.epoch(),
                                                                            row.step(),
                                                                            row.step())));
                }
                continue;
            }
            Optional<SegmentIndex> index = DigestFiles.readIndex(entry.path());
            if (index.isEmpty()) {
                // Its replacement contains its rows too.
                return of(files, stream);
            }
            for (SegmentIndex.Run run : index.get().runs()) {
                (index.get().isLost(run) ? lost : recorded)
                        .add(run.epoch(), run.first(), run.last());
            }
        }
        return new StreamProof(recorded.steps(), lost.of(stream));
    }

    /** The number of steps with lost records. */
    public long lost() {
        return gaps.stream().mapToLong(Gap::steps).sum();
    }
}
