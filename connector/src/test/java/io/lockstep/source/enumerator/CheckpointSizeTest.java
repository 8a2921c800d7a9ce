package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.run.CommitReport;
import io.lockstep.source.split.LaneSplit;
import io.lockstep.source.split.LaneSplitSerializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The size of a job's checkpoint: its enumerator's state and the splits of its readers. */
class CheckpointSizeTest {

    private static final int LANES = 1024;
    private static final int COLUMNS = 100;
    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final List<String> STREAMS = List.of("train", "eval");

    /** The length that Flink writes before each element of an operator's list state. */
    private static final int LIST_ELEMENT = Integer.BYTES;

    @ParameterizedTest
    @ValueSource(ints = {1, 64, LANES})
    void isUnder100KilobytesAt1024LanesWhateverTheNumberOfRanks(int world) throws IOException {
        assertThat(enumeratorBytes(world) + splitBytes()).isLessThan(100_000);
    }

    private static int enumeratorBytes(int world) throws IOException {
        SortedMap<String, String> manifests = new TreeMap<>();
        STREAMS.forEach(stream -> manifests.put(stream, DIGEST));
        EnumeratorState state = new EnumeratorState(manifests, manifests, 17, ledger(world));
        return SimpleVersionedSerialization.writeVersionAndSerialize(
                        new EnumeratorStateSerializer(), state)
                .length;
    }

    /** The last entries of the train stream, from all ranks, without generator states. */
    private static List<CommitReport> ledger(int world) {
        List<CommitReport> reports = new ArrayList<>();
        for (int number = 1; number <= CommitLedger.KEPT; number++) {
            long step = 10_000L * number;
            String state = state(step, world);
            for (int rank = 0; rank < world; rank++) {
                reports.add(
                        new CommitReport(number, "train", 17, world, 3, step, rank, state, null));
            }
        }
        return reports;
    }

    /** The format that the trainers' client writes. */
    private static String state(long step, int world) {
        String columns =
                IntStream.range(0, COLUMNS)
                        .mapToObj(column -> "\"user_activity_feature_" + column + "\"")
                        .collect(Collectors.joining(", "));
        return "{\"format\": 1, \"stream\": \"train\", \"order\": {\"seed\": \"20240917\", \"lanes\": 1024,"
                + " \"batch\": 65536, \"window\": 8, \"shuffle\": \"lane\", \"tail\": \"drop\"},"
                + " \"manifest\": \""
                + DIGEST
                + "\", \"columns\": ["
                + columns
                + "], \"transforms\": \""
                + DIGEST
                + "\", \"run\": \"s3://company-training-runs/recommendations/ranking/2024-09/ctr-7\","
                + " \"epoch\": 3, \"step\": "
                + step
                + ", \"world_size\": "
                + world
                + ", \"skip_steps\": [[0, 1200], [2, 8123]],"
                + " \"checkpoint\": \"s3://company-training-models/recommendations/ctr-7/"
                + step
                + ".pt\"}";
    }

    private static int splitBytes() throws IOException {
        int bytes = 0;
        for (String stream : STREAMS) {
            for (int lane = 0; lane < LANES; lane++) {
                bytes +=
                        LIST_ELEMENT
                                + SimpleVersionedSerialization.writeVersionAndSerialize(
                                                new LaneSplitSerializer(),
                                                new LaneSplit(stream, lane))
                                        .length;
            }
        }
        return bytes;
    }
}
