package io.lockstep.source.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The serialized bytes are fixed here, so that later releases are tested to read them. */
class LaneSplitSerializerTest {

    private static final String VERSION_1 = "0005" + "747261696e" + "0000002a";

    private final LaneSplitSerializer serializer = new LaneSplitSerializer();

    @Test
    void writesVersion1() throws IOException {
        assertThat(HexFormat.of().formatHex(serializer.serialize(new LaneSplit("train", 42))))
                .isEqualTo(VERSION_1);
    }

    @Test
    void readsVersion1() throws IOException {
        assertThat(serializer.deserialize(1, HexFormat.of().parseHex(VERSION_1)))
                .isEqualTo(new LaneSplit("train", 42));
    }

    @Test
    void refusesAnotherVersion() {
        assertThatThrownBy(() -> serializer.deserialize(7, new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 7");
    }
}
