package io.lockstep.audit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The completeness of a stream's records.
 *
 * <p>If a machine fails, trainers and servers die with the records of their last seconds. Later
 * trainers usually go back and take these steps again. If they load a state that is further than
 * the last record, the steps between have none; these are gaps too.
 *
 * @param recorded steps with a record
 * @param gaps the steps with lost records, ascending
 */
public record StreamProof(long recorded, List<Gap> gaps) {

    /** Reads the indexes of a stream's files, and the files of format 1. */
    static StreamProof of(DigestFiles files, String stream) throws IOException {
        StepRanges recorded = new StepRanges();
        SortedMap<Long, StepRanges> byGeneration = new TreeMap<>();
        StepRanges lost = new StepRanges();
        for (DigestFiles.Entry entry : files.entries(stream)) {
            if (entry.folder()) {
                for (DigestFiles.Entry file : DigestFiles.open(entry)) {
                    DigestFiles.read(file.path())
                            .ifPresent(
                                    segment ->
                                            segment.rows()
                                                    .forEach(
                                                            row -> {
                                                                recorded.add(
                                                                        row.epoch(),
                                                                        row.step(),
                                                                        row.step());
                                                                of(byGeneration, row.generation())
                                                                        .add(
                                                                                row.epoch(),
                                                                                row.step(),
                                                                                row.step());
                                                            }));
                }
                continue;
            }
            Optional<SegmentIndex> index = DigestFiles.readIndex(entry.path());
            if (index.isEmpty()) {
                // Its replacement contains its rows too.
                return of(files, stream);
            }
            for (SegmentIndex.Run run : index.get().runs()) {
                if (index.get().isLost(run)) {
                    lost.add(run.epoch(), run.first(), run.last());
                } else {
                    recorded.add(run.epoch(), run.first(), run.last());
                    of(byGeneration, index.get().groups().get(run.group()).generation())
                            .add(run.epoch(), run.first(), run.last());
                }
            }
        }
        holes(recorded.of(stream), byGeneration)
                .forEach(hole -> lost.add(hole.epoch(), hole.from(), hole.to()));
        return new StreamProof(recorded.steps(), lost.of(stream));
    }

    private static StepRanges of(Map<Long, StepRanges> byGeneration, long generation) {
        return byGeneration.computeIfAbsent(generation, absent -> new StepRanges());
    }

    /**
     * The steps without a record between those of a generation and those of a later one. Trainers
     * of one generation leave steps out only if they are told to skip them.
     *
     * @param recorded all ranges of recorded steps, ascending
     */
    private static List<Gap> holes(List<Gap> recorded, SortedMap<Long, StepRanges> byGeneration) {
        List<Gap> holes = new ArrayList<>();
        for (int i = 1; i < recorded.size(); i++) {
            Gap before = recorded.get(i - 1);
            Gap after = recorded.get(i);
            boolean sameEpoch = after.epoch() == before.epoch();
            long from = sameEpoch ? before.to() + 1 : 0;
            if (from < after.from()
                    && after.epoch() - before.epoch() <= 1
                    && last(byGeneration, before) < first(byGeneration, after)) {
                holes.add(new Gap(after.stream(), after.epoch(), from, after.from() - 1));
            }
        }
        return holes;
    }

    /** The last generation with a record of the end of a range. */
    private static long last(SortedMap<Long, StepRanges> byGeneration, Gap range) {
        return byGeneration.entrySet().stream()
                .filter(each -> each.getValue().contains(range.epoch(), range.to()))
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElse(0);
    }

    /** The first generation with a record of the start of a range. */
    private static long first(SortedMap<Long, StepRanges> byGeneration, Gap range) {
        return byGeneration.entrySet().stream()
                .filter(each -> each.getValue().contains(range.epoch(), range.from()))
                .mapToLong(Map.Entry::getKey)
                .min()
                .orElse(0);
    }

    /** The number of steps with lost records. */
    public long lost() {
        return gaps.stream().mapToLong(Gap::steps).sum();
    }
}
