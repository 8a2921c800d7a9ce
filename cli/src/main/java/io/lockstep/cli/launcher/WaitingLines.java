package io.lockstep.cli.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Passes on the lines in which a hidden rank says what it waits for, because the visible rank may
 * be blocked silently in an all-reduce with it. Not thread-safe.
 */
final class WaitingLines extends OutputStream {

    /** Longer lines are never wait messages. */
    private static final int MAX_BYTES = 4096;

    private final OutputStream terminal;
    private final String beginning;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /**
     * @param terminal receives whole lines; may be shared with other writers
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
