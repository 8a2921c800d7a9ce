package io.lockstep.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.digest.Digest128;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The serialized bytes are fixed here, so that later releases are tested to read them. */
class SegmentFormatsTest {

    static final String FORMAT_1 =
            "4c4f434b44494731"
                    + "0000000000000004"
                    + "0000000000000005"
                    + "0005747261696e"
                    + "0000000000000002"
                    // Served, steps 4 and 5 of lanes 0 and 3.
                    + "00"
                    + "0000000000000001"
                    + "00000000"
                    + "0000000000000004"
                    + "00000002"
                    + "00000002"
                    + "00000000"
                    + "00000003"
                    + "00000000000000000000000000000040"
                    + "00000000000000000000000000000043"
                    + "00000000000000000000000000000050"
                    + "ffffffffffffffff0000000000000053"
                    // Consumed, step 5 of lane 3.
                    + "01"
                    + "0000000000000009"
                    + "00000007"
                    + "0000000000000005"
                    + "00000001"
                    + "00000001"
                    + "00000003"
                    + "ffffffffffffffff0000000000000053"
                    + "ff"
                    + "586e7d31";

    private static final String FORMAT_2 =
            "4c4f434b44494732"
                    + "00000024"
                    // The stream, and three groups: served, consumed and lost.
                    + "05747261696e"
                    + "03"
                    + "000100020003"
                    + "0109070103"
                    + "02000000"
                    // Three runs: steps 4 and 5, step 5, and 300 steps of an epoch 3 later.
                    + "03"
                    + "00020402"
                    + "01000501"
                    + "020307ac02"
                    + "cbd517d5"
                    + "00000000000000000000000000000040"
                    + "00000000000000000000000000000043"
                    + "00000000000000000000000000000050"
                    + "ffffffffffffffff0000000000000053"
                    + "ffffffffffffffff0000000000000053"
                    + "6cf3df51";

    private static final List<DigestRow> ROWS =
            List.of(
                    row(Kind.SERVED, 1, 0, 4, List.of(0, 3), digest(0, 0x40), digest(0, 0x43)),
                    row(Kind.SERVED, 1, 0, 5, List.of(0, 3), digest(0, 0x50), digest(-1, 0x53)),
                    row(Kind.CONSUMED, 9, 7, 5, List.of(3), digest(-1, 0x53)));

    private static final DigestSegment SEGMENT =
            new DigestSegment("train", ROWS, List.of(new Gap("train", 5, 7, 306)));

    @Test
    void readsFormat1() throws IOException {
        assertThat(SegmentFormat1.decode(HexFormat.of().parseHex(FORMAT_1), "a file"))
                .isEqualTo(new DigestSegment("train", ROWS, List.of()));
    }

    @Test
    void writesFormat2() {
        assertThat(HexFormat.of().formatHex(SegmentFormat2.encode(SEGMENT))).isEqualTo(FORMAT_2);
    }

    @Test
    void readsFormat2() throws IOException {
        byte[] bytes = HexFormat.of().parseHex(FORMAT_2);
        assertThat(SegmentFormat2.decode(bytes, "a file")).isEqualTo(SEGMENT);
        SegmentIndex index =
                SegmentFormat2.readIndex(
                        new DataInputStream(new ByteArrayInputStream(bytes)), "a file");
        assertThat(index.runs()).hasSize(3);
    }

    /** Damages every byte in turn, and truncates the file at every length. */
    @Test
    void findsEveryDamagedByte() {
        byte[] bytes = HexFormat.of().parseHex(FORMAT_2);
        for (int i = Long.BYTES; i < bytes.length; i++) {
            byte[] damaged = bytes.clone();
            damaged[i] ^= 0x10;
            assertThatThrownBy(() -> SegmentFormat2.decode(damaged, "a file"))
                    .as("byte %d", i)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a file is damaged");
            byte[] cut = Arrays.copyOf(bytes, i);
            assertThatThrownBy(() -> SegmentFormat2.decode(cut, "a file"))
                    .as("%d bytes", i)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a file is damaged");
        }
    }

    @Test
    void refusesAFormatThatItDoesNotKnow() {
        byte[] later = FORMAT_2.getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> SegmentFormat2.decode(later, "a file"))
                .hasMessageContaining(
                        "a file has digests in a format that this release does not know");
    }

    private static DigestRow row(
            Kind kind, long generation, int rank, long step, List<Integer> lanes, Digest128... of) {
        return new DigestRow(kind, "train", generation, rank, 2, step, lanes, List.of(of));
    }

    private static Digest128 digest(long high, long low) {
        return new Digest128(high, low);
    }
}
