package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * The ledger's reports as bytes: their number, then each. What all ranks of an entry have in common
 * stands once, with the first of them: a later report with the same state has the length -1 there.
 */
final class CommitsSerializer {

    private static final int SAME = -1;
    private static final int NONE = -2;

    private CommitsSerializer() {}

    static void write(List<CommitReport> reports, DataOutputSerializer out) throws IOException {
        out.writeInt(reports.size());
        String former = null;
        for (CommitReport report : reports) {
            out.writeLong(report.number());
            out.writeUTF(report.stream());
            out.writeLong(report.generation());
            out.writeInt(report.world());
            out.writeLong(report.epoch());
            out.writeLong(report.step());
            out.writeInt(report.rank());
            if (report.state().equals(former)) {
                out.writeInt(SAME);
            } else {
                write(report.state(), out);
            }
            write(report.generators(), out);
            former = report.state();
        }
    }

    static List<CommitReport> read(DataInputDeserializer in) throws IOException {
        int count = in.readInt();
        List<CommitReport> reports = new ArrayList<>(count);
        String former = null;
        for (int i = 0; i < count; i++) {
            long number = in.readLong();
            String stream = in.readUTF();
            long generation = in.readLong();
            int world = in.readInt();
            long epoch = in.readLong();
            long step = in.readLong();
            int rank = in.readInt();
            former = read(in, former);
            String generators = read(in, null);
            reports.add(
                    new CommitReport(
                            number,
                            stream,
                            generation,
                            world,
                            epoch,
                            step,
                            rank,
                            former,
                            generators));
        }
        return reports;
    }

    private static void write(String text, DataOutputSerializer out) throws IOException {
        if (text == null) {
            out.writeInt(NONE);
            return;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String read(DataInputDeserializer in, String former) throws IOException {
        int length = in.readInt();
        if (length == SAME) {
            return former;
        }
        if (length == NONE) {
            return null;
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
