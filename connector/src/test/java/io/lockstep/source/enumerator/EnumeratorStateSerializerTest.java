package io.lockstep.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bytes are kept here so that later releases prove that they read those of this one. */
class EnumeratorStateSerializerTest {

    private static final String VERSION_1 =
            "0000000000000003"
                    + "00000002"
                    + "00046576616c"
                    + "00026262"
                    + "0005747261696e"
                    + "00026161";

    private static final EnumeratorState STATE =
            new EnumeratorState(new TreeMap<>(Map.of("train", "aa", "eval", "bb")), 3);

    private final EnumeratorStateSerializer serializer = new EnumeratorStateSerializer();

    @Test
    void writesVersion1() throws IOException {
        assertThat(HexFormat.of().formatHex(serializer.serialize(STATE))).isEqualTo(VERSION_1);
    }

    @Test
    void readsVersion1() throws IOException {
        assertThat(serializer.deserialize(1, HexFormat.of().parseHex(VERSION_1))).isEqualTo(STATE);
    }

    @Test
    void refusesAnotherVersion() {
        assertThatThrownBy(() -> serializer.deserialize(9, new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 9");
    }
}
