package io.lockstep.cli.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Lets through, of what a rank writes whose output nobody sees, the lines that say what it waits
 * for: the rank that is seen waits for it perhaps, in an all-reduce, without a word. For one
 * thread.
 */
final class WaitingLines extends OutputStream {

    /** Longer lines are none of those. */
    private static final int MAX_BYTES = 4096;

    private final OutputStream terminal;
    private final String beginning;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /**
     * @param terminal gets whole lines; others may write to it as well
     */
    WaitingLines(int rank, OutputStream terminal) {
        this.terminal = terminal;
        this.beginning = "lockstep rank " + rank + ": waiting for ";
    }

    @Override
    public void write(int b) throws IOException {
        if (line.size() < MAX_BYTES) {
            line.write(b);
        }
        if (b == '\n') {
            if (line.toString(StandardCharsets.UTF_8).startsWith(beginning)) {
                terminal.write(line.toByteArray());
                terminal.flush();
            }
            line.reset();
        }
    }
}
