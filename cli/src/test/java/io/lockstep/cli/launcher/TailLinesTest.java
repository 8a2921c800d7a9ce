package io.lockstep.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The lines of an output that are kept in memory. */
class TailLinesTest {

    private final TailLines tail = new TailLines(3);

    @Test
    void keepsTheLastLines() {
        add("one\ntwo\nthree\nfo");
        add("ur\n");

        assertThat(tail.lines()).containsExactly("two", "three", "four");
    }

    @Test
    void countsALineThatHasNotEnded() {
        add("one\ntwo\nthree\nfour");

        assertThat(tail.lines()).containsExactly("two", "three", "four");
    }

    @Test
    void keepsOfAProgressBarWhatOneSeesInTheEnd() {
        add("10 %\r50 %\r100 %\ndone\r\n");

        assertThat(tail.lines()).containsExactly("100 %", "done");
    }

    @Test
    void keepsCharactersOfSeveralBytesThatComeInPieces() {
        byte[] bytes = "schön\n".getBytes(StandardCharsets.UTF_8);
        for (byte each : bytes) {
            tail.add(new byte[] {each}, 1);
        }

        assertThat(tail.lines()).containsExactly("schön");
    }

    private void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        tail.add(bytes, bytes.length);
    }
}
