package io.lockstep.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.digest.Digest128;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes are kept here so that later releases prove that they read those of this one. */
class DigestSegmentTest {

    private static final String FORM_1 =
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

    private static final DigestSegment SEGMENT =
            new DigestSegment(
                    "train",
                    2,
                    List.of(
                            row(
                                    Kind.SERVED,
                                    1,
                                    0,
                                    4,
                                    List.of(0, 3),
                                    digest(0, 0x40),
                                    digest(0, 0x43)),
                            row(
                                    Kind.SERVED,
                                    1,
                                    0,
                                    5,
                                    List.of(0, 3),
                                    digest(0, 0x50),
                                    digest(-1, 0x53)),
                            row(Kind.CONSUMED, 9, 7, 5, List.of(3), digest(-1, 0x53))));

    @Test
    void writesForm1() {
        assertThat(HexFormat.of().formatHex(SEGMENT.encode())).isEqualTo(FORM_1);
    }

    @Test
    void readsForm1() throws IOException {
        assertThat(DigestSegment.decode(HexFormat.of().parseHex(FORM_1), "a file"))
                .isEqualTo(SEGMENT);
    }

    @Test
    void refusesAFormThatItDoesNotKnow() {
        byte[] later = HexFormat.of().parseHex("4c4f434b44494732");
        assertThatThrownBy(
                        () ->
                                DigestSegment.readRange(
                                        new DataInputStream(new ByteArrayInputStream(later)),
                                        "a file"))
                .hasMessageContaining(
                        "a file has digests in a form that this release does not know");
    }

    private static DigestRow row(
            Kind kind, long generation, int rank, long step, List<Integer> lanes, Digest128... of) {
        return new DigestRow(kind, "train", generation, rank, 2, step, lanes, List.of(of));
    }

    private static Digest128 digest(long high, long low) {
        return new Digest128(high, low);
    }
}
