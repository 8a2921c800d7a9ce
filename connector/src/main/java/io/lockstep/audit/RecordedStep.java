package io.lockstep.audit;

import io.lockstep.digest.Digest128;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All records of one step in the archive.
 *
 * @param lanes the distinct records of each lane that has any, including contradicting ones
 */
public record RecordedStep(
        String stream, long epoch, long step, SortedMap<Integer, SortedSet<Evidence>> lanes) {

    RecordedStep(String stream, long epoch, long step) {
        this(stream, epoch, step, new TreeMap<>());
    }

    /** The digests recorded for a lane: one, or more if records contradict each other. */
    public SortedSet<Digest128> digests(int lane) {
        SortedSet<Digest128> digests = new TreeSet<>();
        lanes.getOrDefault(lane, new TreeSet<>()).forEach(record -> digests.add(record.digest()));
        return digests;
    }

    StepKey key() {
        return new StepKey(epoch, step);
    }

    void add(DigestRow row) {
        for (int i = 0; i < row.lanes().size(); i++) {
            lanes.computeIfAbsent(row.lanes().get(i), absent -> new TreeSet<>())
                    .add(
                            new Evidence(
                                    row.kind(),
                                    row.generation(),
                                    row.rank(),
                                    row.digests().get(i)));
        }
    }
}
