package io.lockstep.audit;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The first part of a file of format 2, which lists the rows of the file in the order of their
 * digests. See {@code docs/digests.md}.
 *
 * @param runs ascending by epoch, then by step
 */
record SegmentIndex(String stream, List<Group> groups, List<Run> runs) {

    /** The kind of a group without lanes, whose steps have lost records. */
    static final int LOST = 2;

    /**
     * The properties that rows share.
     *
     * @param kind the ordinal of {@link DigestRow.Kind}, or {@link #LOST}
     */
    record Group(int kind, long generation, int rank, List<Integer> lanes) {}

    /**
     * Consecutive steps of a group.
     *
     * @param group its number
     */
    record Run(int group, long epoch, long first, long steps) {
        long last() {
            return first + steps - 1;
        }
    }

    boolean isLost(Run run) {
        return groups.get(run.group()).kind() == LOST;
    }

    void write(Varints out) {
        byte[] name = stream.getBytes(StandardCharsets.UTF_8);
        out.number(name.length);
        out.bytes(name);
        out.number(groups.size());
        for (Group group : groups) {
            out.number(group.kind());
            out.number(group.generation());
            out.number(group.rank());
            out.number(group.lanes().size());
            group.lanes().forEach(out::number);
        }
        out.number(runs.size());
        long epoch = 0;
        for (Run run : runs) {
            out.number(run.group());
            out.number(run.epoch() - epoch);
            out.number(run.first());
            out.number(run.steps());
            epoch = run.epoch();
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws BufferUnderflowException or
     * @throws IllegalArgumentException if the data is not a valid index
     */
    static SegmentIndex read(ByteBuffer in) {
        byte[] name = new byte[length(in)];
        in.get(name);
        List<Group> groups = new ArrayList<>();
        for (int left = length(in); left > 0; left--) {
            int kind = (int) Varints.number(in);
            long generation = Varints.number(in);
            int rank = (int) Varints.number(in);
            List<Integer> lanes = new ArrayList<>();
            for (int more = length(in); more > 0; more--) {
                lanes.add((int) Varints.number(in));
            }
            if (kind < 0 || kind > LOST) {
                throw new IllegalArgumentException("kind " + kind);
            }
            groups.add(new Group(kind, generation, rank, List.copyOf(lanes)));
        }
        List<Run> runs = new ArrayList<>();
        long epoch = 0;
        for (int left = length(in); left > 0; left--) {
            int group = (int) Varints.number(in);
            if (group >= groups.size()) {
                throw new IllegalArgumentException("group " + group);
            }
            epoch += Varints.number(in);
            runs.add(new Run(group, epoch, Varints.number(in), Varints.number(in)));
        }
        return new SegmentIndex(new String(name, StandardCharsets.UTF_8), groups, runs);
    }

    /** Reads the count of items that each take at least one byte. */
    private static int length(ByteBuffer in) {
        long length = Varints.number(in);
        if (length > in.remaining()) {
            throw new IllegalArgumentException("length " + length);
        }
        return (int) length;
    }
}
