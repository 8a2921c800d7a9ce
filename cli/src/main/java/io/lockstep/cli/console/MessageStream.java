package io.lockstep.cli.console;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Prints each message on a line of its own, below a progress line that has not ended. */
public final class MessageStream extends PrintStream {

    private final LineStream.Cursor cursor;

    public MessageStream(OutputStream out, LineStream.Cursor cursor) {
        // JDK 17 uses the locale's charset, which prints question marks in the C locale.
        super(new LineStream(out, cursor), true, StandardCharsets.UTF_8);
        this.cursor = cursor;
    }

    @Override
    public void println(String message) {
        super.println(cursor.isInLine() ? "\n" + message : message);
    }
}
