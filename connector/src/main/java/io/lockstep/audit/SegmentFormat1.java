package io.lockstep.audit;

import io.lockstep.digest.PackedDigests;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reads files of format 1, which release 0.1 wrote: each covers one epoch. */
final class SegmentFormat1 {

    static final long MAGIC = 0x4c4f434b44494731L; // "LOCKDIG1"

    private static final int END = 0xFF;

    private SegmentFormat1() {}

    /**
     * Reads a whole file.
     *
     * @param file the file name for messages
     * @throws IOException if it is damaged
     */
    static DigestSegment decode(byte[] bytes, String file) throws IOException {
        int end = bytes.length - Integer.BYTES;
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (end < Long.BYTES || in.getInt(end) != Checksum.of(bytes, 0, end)) {
            throw Checksum.damaged(file);
        }
        try {
            in.position(Long.BYTES + 2 * Long.BYTES);
            byte[] name = new byte[Short.toUnsignedInt(in.getShort())];
            in.get(name);
            String stream = new String(name, StandardCharsets.UTF_8);
            long epoch = in.getLong();
            List<DigestRow> rows = new ArrayList<>();
            for (int kind = kind(in); kind != END; kind = kind(in)) {
                readBlock(DigestRow.Kind.values()[kind], stream, epoch, in, rows);
            }
            rows.sort(Comparator.comparing(DigestRow::key));
            return new DigestSegment(stream, rows, List.of());
        } catch (BufferUnderflowException
                | IndexOutOfBoundsException
                | IllegalArgumentException e) {
            throw Checksum.damaged(file);
        }
    }

    private static int kind(ByteBuffer in) {
        return Byte.toUnsignedInt(in.get());
    }

    /** Reads the first and the last step of a file, without checking the rest. */
    static StepKey[] readRange(DataInputStream in, long epoch, String file) throws IOException {
        if (in.readLong() != MAGIC) {
            throw Checksum.unknownFormat(file);
        }
        return new StepKey[] {new StepKey(epoch, in.readLong()), new StepKey(epoch, in.readLong())};
    }

    private static void readBlock(
            DigestRow.Kind kind, String stream, long epoch, ByteBuffer in, List<DigestRow> rows) {
        long generation = in.getLong();
        int rank = in.getInt();
        long firstStep = in.getLong();
        int steps = in.getInt();
        List<Integer> lanes = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            lanes.add(in.getInt());
        }
        for (int i = 0; i < steps; i++) {
            PackedDigests digests = PackedDigests.read(in, lanes.size());
            rows.add(
                    new DigestRow(
                            kind, stream, generation, rank, epoch, firstStep + i, lanes, digests));
        }
    }
}
