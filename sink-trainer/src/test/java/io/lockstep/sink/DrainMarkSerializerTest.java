package io.lockstep.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.junit.jupiter.api.Test;

/** The mark's format in a savepoint. */
class DrainMarkSerializerTest {

    private final DrainMarkSerializer serializer = new DrainMarkSerializer();

    @Test
    void aMarkIsReadBack() throws Exception {
        byte[] stored =
                SimpleVersionedSerialization.writeVersionAndSerialize(serializer, new DrainMark());

        assertThat(SimpleVersionedSerialization.readVersionAndDeSerialize(serializer, stored))
                .isEqualTo(new DrainMark());
    }

    @Test
    void theFormatOfALaterReleaseIsRefused() {
        assertThatThrownBy(() -> serializer.deserialize(2, new byte[0]))
                .hasMessageContaining("format version 2", "reads version 1");
    }
}
