package io.lockstep.source.enumerator;

import io.lockstep.run.CommitReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;

/**
 * The ledger's reports as written by version 2. Each report is written in full, except that a state
 * equal to the previous report's has length -1 and generators that are not kept have length -2.
 */
final class CommitsVersion2 {

    private static final int SAME = -1;
    private static final int NONE = -2;

    private CommitsVersion2() {}

    static List<CommitReport> read(DataInputDeserializer in) throws IOException {
        int count = in.readInt();
        List<CommitReport> reports = new ArrayList<>(count);
        String state = null;
        for (int i = 0; i < count; i++) {
            long number = in.readLong();
            String stream = in.readUTF();
            long generation = in.readLong();
            int world = in.readInt();
            long epoch = in.readLong();
            long step = in.readLong();
            int rank = in.readInt();
            state = readText(in, state);
            String generators = readText(in, null);
            reports.add(
                    new CommitReport(
                            number,
                            stream,
                            generation,
                            world,
                            epoch,
                            step,
                            rank,
                            state,
                            generators));
        }
        return reports;
    }

    private static String readText(DataInputDeserializer in, String former) throws IOException {
        int length = in.readInt();
        if (length == SAME) {
            return former;
        }
        return length == NONE ? null : CommitsSerializer.readText(in, length);
    }
}
