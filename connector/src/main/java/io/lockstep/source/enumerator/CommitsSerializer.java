package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Serializes the ledger's reports: their number, then each report. A report begins with a byte of
 * flags. If its entry and state equal those of the previous report and its rank is the next one, as
 * is usual for all but the first report of an entry, only the rank's generators follow, if any.
 */
final class CommitsSerializer {

    private static final int NEXT_RANK = 1;
    private static final int GENERATORS = 2;

    private CommitsSerializer() {}

    static void write(List<CommitReport> reports, DataOutputSerializer out) throws IOException {
        out.writeInt(reports.size());
        CommitReport former = null;
        for (CommitReport report : reports) {
            boolean next = former != null && report.equals(after(former, report.generators()));
            boolean generators = report.generators() != null;
            out.writeByte((next ? NEXT_RANK : 0) | (generators ? GENERATORS : 0));
            if (!next) {
                writeWhole(report, out);
            }
            if (generators) {
                writeText(report.generators(), out);
            }
            former = report;
        }
    }

    private static void writeWhole(CommitReport report, DataOutputSerializer out)
            throws IOException {
        out.writeLong(report.number());
        out.writeUTF(report.stream());
        out.writeLong(report.generation());
        out.writeInt(report.world());
        out.writeLong(report.epoch());
        out.writeLong(report.step());
        out.writeInt(report.rank());
        writeText(report.state(), out);
    }

    /** The report of the next rank on the same state. */
    private static CommitReport after(CommitReport report, String generators) {
        return copy(report, report.rank() + 1, generators);
    }

    private static CommitReport copy(CommitReport report, int rank, String generators) {
        return new CommitReport(
                report.number(),
                report.stream(),
                report.generation(),
                report.world(),
                report.epoch(),
                report.step(),
                rank,
                report.state(),
                generators);
    }

    static List<CommitReport> read(DataInputDeserializer in) throws IOException {
        int count = in.readInt();
        List<CommitReport> reports = new ArrayList<>(count);
        CommitReport former = null;
        for (int i = 0; i < count; i++) {
            int flags = in.readByte();
            CommitReport report = (flags & NEXT_RANK) != 0 ? after(former, null) : readWhole(in);
            if ((flags & GENERATORS) != 0) {
                report = copy(report, report.rank(), readText(in, in.readInt()));
            }
            reports.add(report);
            former = report;
        }
        return reports;
    }

    private static CommitReport readWhole(DataInputDeserializer in) throws IOException {
        return new CommitReport(
                in.readLong(),
                in.readUTF(),
                in.readLong(),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                readText(in, in.readInt()),
                null);
    }

    private static void writeText(String text, DataOutputSerializer out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static String readText(DataInputDeserializer in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
