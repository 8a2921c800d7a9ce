package io.lockstep.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Messages beside the output of trainers. */
class MessageStreamTest {

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final LineStream.Cursor cursor = new LineStream.Cursor();
    private final MessageStream messages = new MessageStream(terminal, cursor);
    private final LineStream results = new LineStream(terminal, cursor);

    @Test
    void aMessageDoesNotContinueAProgressLine() throws IOException {
        messages.write("\rstep 1/9".getBytes(StandardCharsets.UTF_8));
        messages.println("asked to end");
        messages.println("ended");
        results.write("\rstep 2/9".getBytes(StandardCharsets.UTF_8));
        messages.println("ü");

        assertThat(terminal.toString(StandardCharsets.UTF_8))
                .isEqualTo("\rstep 1/9\nasked to end\nended\n\rstep 2/9\nü\n");
    }
}
