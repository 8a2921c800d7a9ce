package io.lockstep.audit;

import io.lockstep.digest.Digest128;
import io.lockstep.digest.PackedDigests;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The rows of one stream and epoch in one file of the archive. The file's form is described in
 * {@code docs/digests.md}.
 */
record DigestSegment(String stream, long epoch, List<DigestRow> rows) {

    private static final long MAGIC = 0x4c4f434b44494731L; // "LOCKDIG1"
    private static final int END = 0xFF;

    private static final Comparator<DigestRow> ORDER =
            Comparator.comparing(DigestRow::kind)
                    .thenComparing(DigestRow::generation)
                    .thenComparing(DigestRow::rank)
                    .thenComparing(DigestRow::lanes, DigestSegment::compare)
                    .thenComparing(DigestRow::step);

    private static int compare(List<Integer> one, List<Integer> other) {
        if (one == other) {
            return 0;
        }
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = one.get(i).compareTo(other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    byte[] encode() {
        List<DigestRow> sorted = rows.stream().distinct().sorted(ORDER).toList();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(MAGIC);
            out.writeLong(sorted.stream().mapToLong(DigestRow::step).min().orElse(0));
            out.writeLong(sorted.stream().mapToLong(DigestRow::step).max().orElse(-1));
            out.writeUTF(stream);
            out.writeLong(epoch);
            for (int from = 0; from < sorted.size(); ) {
                int to = from + 1;
                while (to < sorted.size() && sorted.get(to - 1).goesOnWith(sorted.get(to))) {
                    to++;
                }
                writeBlock(sorted.subList(from, to), out);
                from = to;
            }
            out.writeByte(END);
            out.flush();
            out.writeInt(checksum(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be written", e);
        }
        return bytes.toByteArray();
    }

    private static void writeBlock(List<DigestRow> block, DataOutputStream out) throws IOException {
        DigestRow first = block.get(0);
        out.writeByte(first.kind().ordinal());
        out.writeLong(first.generation());
        out.writeInt(first.rank());
        out.writeLong(first.step());
        out.writeInt(block.size());
        out.writeInt(first.lanes().size());
        for (int lane : first.lanes()) {
            out.writeInt(lane);
        }
        // At once: a file is written again and again while it grows.
        ByteBuffer digests =
                ByteBuffer.allocate(block.size() * first.lanes().size() * Digest128.BYTES);
        for (DigestRow row : block) {
            PackedDigests.copyOf(row.digests()).putInto(digests);
        }
        out.write(digests.array());
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param file names it in messages
     * @throws IOException where it is something else, or damaged
     */
    static DigestSegment decode(byte[] bytes, String file) throws IOException {
        int end = bytes.length - Integer.BYTES;
        if (end < Long.BYTES || ByteBuffer.wrap(bytes).getInt(end) != checksum(bytes, end)) {
            throw damaged(file);
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        readRange(in, file);
        String stream = in.readUTF();
        long epoch = in.readLong();
        List<DigestRow> rows = new ArrayList<>();
        for (int kind = in.readUnsignedByte(); kind != END; kind = in.readUnsignedByte()) {
            if (kind >= DigestRow.Kind.values().length) {
                throw damaged(file);
            }
            readBlock(DigestRow.Kind.values()[kind], stream, epoch, in, rows);
        }
        return new DigestSegment(stream, epoch, rows);
    }

    /** Reads the beginning of a file, without a check of the rest. */
    static StepRange readRange(DataInputStream in, String file) throws IOException {
        if (in.readLong() != MAGIC) {
            throw new IOException(
                    file
                            + " has digests in a form that this release does not know: use a later one");
        }
        return new StepRange(in.readLong(), in.readLong());
    }

    private static void readBlock(
            DigestRow.Kind kind,
            String stream,
            long epoch,
            DataInputStream in,
            List<DigestRow> rows)
            throws IOException {
        long generation = in.readLong();
        int rank = in.readInt();
        long firstStep = in.readLong();
        int steps = in.readInt();
        List<Integer> lanes = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            lanes.add(in.readInt());
        }
        for (int i = 0; i < steps; i++) {
            List<Digest128> digests = new ArrayList<>();
            for (int k = 0; k < lanes.size(); k++) {
                digests.add(new Digest128(in.readLong(), in.readLong()));
            }
            rows.add(
                    new DigestRow(
                            kind, stream, generation, rank, epoch, firstStep + i, lanes, digests));
        }
    }

    static IOException damaged(String file) {
        return new IOException(
                file
                        + " is damaged: its checksum does not agree; restore it, or delete it to go on"
                        + " without its digests");
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
