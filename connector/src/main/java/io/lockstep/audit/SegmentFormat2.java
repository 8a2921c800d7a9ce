package io.lockstep.audit;

import io.lockstep.audit.SegmentIndex.Group;
import io.lockstep.audit.SegmentIndex.Run;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.PackedDigests;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Files of format 2: an index, then the digests, each with a checksum. A file can hold steps of
 * several epochs. {@code docs/digests.md} describes the format.
 */
final class SegmentFormat2 {

    static final long MAGIC = 0x4c4f434b44494732L; // "LOCKDIG2"

    private static final int HEADER = Long.BYTES + Integer.BYTES;
    private static final int MAX_INDEX = 1 << 28;

    private SegmentFormat2() {}

    /** A run and its rows. */
    private record Block(Run run, List<DigestRow> rows) {}

    static byte[] encode(DigestSegment segment) {
        Map<Group, Integer> groups = new LinkedHashMap<>();
        List<Block> blocks = new ArrayList<>(blocks(segment, groups));
        for (Gap gap : segment.gaps()) {
            int group = number(new Group(SegmentIndex.LOST, 0, 0, List.of()), groups);
            blocks.add(new Block(new Run(group, gap.epoch(), gap.from(), gap.steps()), List.of()));
        }
        blocks.sort(
                Comparator.comparingLong((Block block) -> block.run().epoch())
                        .thenComparingLong(block -> block.run().first())
                        .thenComparingInt(block -> block.run().group()));
        Varints index = new Varints();
        new SegmentIndex(
                        segment.stream(),
                        List.copyOf(groups.keySet()),
                        blocks.stream().map(Block::run).toList())
                .write(index);
        return put(index.toByteArray(), blocks);
    }

    private static byte[] put(byte[] index, List<Block> blocks) {
        List<DigestRow> rows = blocks.stream().flatMap(block -> block.rows().stream()).toList();
        int digests = rows.stream().mapToInt(row -> row.lanes().size()).sum() * Digest128.BYTES;
        ByteBuffer out = ByteBuffer.allocate(HEADER + index.length + digests + 2 * Integer.BYTES);
        out.putLong(MAGIC).putInt(index.length).put(index);
        out.putInt(Checksum.of(out.array(), 0, out.position()));
        int from = out.position();
        rows.forEach(row -> PackedDigests.copyOf(row.digests()).putInto(out));
        out.putInt(Checksum.of(out.array(), from, out.position()));
        return out.array();
    }

    private static List<Block> blocks(DigestSegment segment, Map<Group, Integer> groups) {
        Map<Integer, List<DigestRow>> byGroup = new LinkedHashMap<>();
        Stream<DigestRow> rows = segment.rows().stream().distinct();
        rows.forEach(
                row ->
                        byGroup.computeIfAbsent(number(group(row), groups), n -> new ArrayList<>())
                                .add(row));
        List<Block> blocks = new ArrayList<>();
        byGroup.forEach(
                (group, some) -> {
                    some.sort(Comparator.comparing(DigestRow::key));
                    for (int from = 0; from < some.size(); ) {
                        int to = from + 1;
                        while (to < some.size()
                                && some.get(to).key().equals(some.get(to - 1).key().next())) {
                            to++;
                        }
                        StepKey first = some.get(from).key();
                        blocks.add(
                                new Block(
                                        new Run(group, first.epoch(), first.step(), to - from),
                                        some.subList(from, to)));
                        from = to;
                    }
                });
        return blocks;
    }

    private static Group group(DigestRow row) {
        return new Group(row.kind().ordinal(), row.generation(), row.rank(), row.lanes());
    }

    private static int number(Group group, Map<Group, Integer> groups) {
        return groups.computeIfAbsent(group, absent -> groups.size());
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param file the file name for messages
     * @throws IOException if it is damaged
     */
    static DigestSegment decode(byte[] bytes, String file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            SegmentIndex index = index(in, file);
            int from = in.position();
            int end = bytes.length - Integer.BYTES;
            if (end < from || in.getInt(end) != Checksum.of(bytes, from, end)) {
                throw Checksum.damaged(file);
            }
            return segment(index, in);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw Checksum.damaged(file);
        }
    }

    /** Reads the first part of a file only. */
    static SegmentIndex readIndex(DataInputStream in, String file) throws IOException {
        try {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER));
            int length = header.getInt(Long.BYTES);
            if (length < 0 || length > MAX_INDEX) {
                throw Checksum.damaged(file);
            }
            ByteBuffer part = ByteBuffer.allocate(HEADER + length + Integer.BYTES);
            part.put(header.array());
            in.readFully(part.array(), HEADER, length + Integer.BYTES);
            return index(part.rewind(), file);
        } catch (EOFException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw Checksum.damaged(file);
        }
    }

    /** Leaves the buffer's position after the index and its checksum. */
    private static SegmentIndex index(ByteBuffer in, String file) throws IOException {
        if (in.getLong() != MAGIC) {
            throw Checksum.unknownFormat(file);
        }
        int end = HEADER + in.getInt();
        if (end < HEADER
                || end > in.limit() - Integer.BYTES
                || in.getInt(end) != Checksum.of(in.array(), 0, end)) {
            throw Checksum.damaged(file);
        }
        SegmentIndex index = SegmentIndex.read(in);
        in.position(end + Integer.BYTES);
        return index;
    }

    private static DigestSegment segment(SegmentIndex index, ByteBuffer in) {
        List<DigestRow> rows = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        for (Run run : index.runs()) {
            if (index.isLost(run)) {
                gaps.add(new Gap(index.stream(), run.epoch(), run.first(), run.last()));
                continue;
            }
            Group group = index.groups().get(run.group());
            for (long step = run.first(); step <= run.last(); step++) {
                rows.add(
                        new DigestRow(
                                DigestRow.Kind.values()[group.kind()],
                                index.stream(),
                                group.generation(),
                                group.rank(),
                                run.epoch(),
                                step,
                                group.lanes(),
                                PackedDigests.read(in, group.lanes().size())));
            }
        }
        rows.sort(Comparator.comparing(DigestRow::key));
        return new DigestSegment(index.stream(), rows, gaps);
    }
}
