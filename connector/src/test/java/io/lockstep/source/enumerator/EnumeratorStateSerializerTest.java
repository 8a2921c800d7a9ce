package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.run.CommitReport;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The serialized bytes are fixed here, so that later releases are tested to read them. */
class EnumeratorStateSerializerTest {

    private static final String VERSION_1 =
            "0000000000000003"
                    + "00000002"
                    + "00046576616c"
                    + "00026262"
                    + "0005747261696e"
                    + "00026161";

    /**
     * The fields stored once for both reports: number, stream, generation, world, epoch and step.
     */
    private static final String ENTRY =
            "0000000000000007"
                    + "0005747261696e"
                    + "0000000000000003"
                    + "00000002"
                    + "0000000000000001"
                    + "000000000000000d";

    private static final String VERSION_2 =
            VERSION_1
                    + "00000002"
                    + ENTRY
                    + "00000000"
                    + "00000002"
                    + "7b7d"
                    + "fffffffe"
                    + ENTRY
                    + "00000001"
                    + "ffffffff"
                    + "00000002"
                    + "5b5d";

    private static final String VERSION_3 =
            VERSION_1
                    + "00000002"
                    + "00"
                    + ENTRY
                    + "00000000"
                    + "00000002"
                    + "7b7d"
                    + "03"
                    + "00000002"
                    + "5b5d";

    private static final String VERSION_4 = VERSION_3 + "00000001" + "0005747261696e" + "00026363";

    private static final SortedMap<String, String> FINGERPRINTS =
            new TreeMap<>(Map.of("train", "cc"));

    private static final SortedMap<String, String> MANIFESTS =
            new TreeMap<>(Map.of("train", "aa", "eval", "bb"));

    private static final EnumeratorState STATE =
            new EnumeratorState(
                    MANIFESTS,
                    FINGERPRINTS,
                    3,
                    List.of(
                            new CommitReport(7, "train", 3, 2, 1, 13, 0, "{}", null),
                            new CommitReport(7, "train", 3, 2, 1, 13, 1, "{}", "[]")));

    private static final EnumeratorState WITHOUT_FINGERPRINTS =
            new EnumeratorState(MANIFESTS, new TreeMap<>(), 3, STATE.commits());

    private final EnumeratorStateSerializer serializer = new EnumeratorStateSerializer();

    @Test
    void writesVersion4() throws IOException {
        assertThat(HexFormat.of().formatHex(serializer.serialize(STATE))).isEqualTo(VERSION_4);
    }

    @Test
    void readsVersion4() throws IOException {
        assertThat(serializer.deserialize(4, HexFormat.of().parseHex(VERSION_4))).isEqualTo(STATE);
    }

    @Test
    void readsVersion3WhichHadNoFingerprints() throws IOException {
        assertThat(serializer.deserialize(3, HexFormat.of().parseHex(VERSION_3)))
                .isEqualTo(WITHOUT_FINGERPRINTS);
    }

    @Test
    void readsVersion2WhichHadEachReportWhole() throws IOException {
        assertThat(serializer.deserialize(2, HexFormat.of().parseHex(VERSION_2)))
                .isEqualTo(WITHOUT_FINGERPRINTS);
    }

    @Test
    void readsVersion1WhichHadNoLedger() throws IOException {
        assertThat(serializer.deserialize(1, HexFormat.of().parseHex(VERSION_1)))
                .isEqualTo(new EnumeratorState(MANIFESTS, new TreeMap<>(), 3, List.of()));
    }

    @Test
    void refusesAnotherVersion() {
        assertThatThrownBy(() -> serializer.deserialize(9, new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 9");
    }

    @Test
    void readsWhatItWroteOfReportsThatDiffer() throws IOException {
        List<CommitReport> reports =
                List.of(
                        new CommitReport(7, "train", 3, 4, 1, 13, 0, "{}", null),
                        new CommitReport(7, "train", 3, 4, 1, 13, 1, "{}", "[1]"),
                        new CommitReport(7, "train", 3, 4, 1, 13, 3, "{}", null),
                        new CommitReport(8, "train", 3, 4, 1, 14, 4, "{}", null),
                        new CommitReport(8, "train", 3, 4, 1, 14, 5, "{ }", null),
                        new CommitReport(9, "eval", 3, 4, 1, 14, 6, "{ }", "[2]"));
        EnumeratorState state = new EnumeratorState(MANIFESTS, FINGERPRINTS, 3, reports);

        assertThat(serializer.deserialize(4, serializer.serialize(state))).isEqualTo(state);
    }
}
