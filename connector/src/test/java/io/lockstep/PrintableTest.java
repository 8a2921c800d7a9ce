package io.lockstep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names from outside in messages. */
class PrintableTest {

    @Test
    void escapesWhatChangesTheTerminalOrBreaksTheLine() {
        assertThat(Printable.of("\u001b[31mred\u0007 a\nb\r\tc \u009b0m \u202etxt\u2066 \u2028\0"))
                .isEqualTo(
                        "\\u001b[31mred\\u0007 a\\nb\\r\\tc \\u009b0m \\u202etxt\\u2066 \\u2028"
                                + "\\u0000");
    }

    @Test
    void keepsEverythingElse() {
        for (String text :
                new String[] {"", "'; DROP TABLE x; --", "<b>&amp;", "größe 長さ 🙂 ماه"}) {
            assertThat(Printable.of(text)).isEqualTo(text);
        }
    }
}
