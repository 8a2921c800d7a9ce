package io.lockstep.handoff.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports as written in a run file. */
class PortRangeTest {

    @Test
    void isReadAsItIsWritten() {
        for (PortRange range : new PortRange[] {new PortRange(1, 1), new PortRange(26000, 65535)}) {
            assertThat(PortRange.parse(range.toString())).isEqualTo(range);
        }
        assertThat(PortRange.parse("26000 - 26015")).isEqualTo(new PortRange(26000, 26015));
        assertThat(PortRange.any().ports()).containsExactly(0);
        assertThat(new PortRange(7, 9).ports()).containsExactly(7, 8, 9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0-9", "-1", "9-8", "65536", "1-65536", "1-2-3", "http", "1-"})
    void isRefusedWhereItIsNone(String text) {
        assertThatThrownBy(() -> PortRange.parse(text))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
