package io.lockstep.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream that knows whether what was written to its destination ends in the middle of a line, as
 * a progress line does.
 */
public final class LineStream extends FilterOutputStream {

    /** What streams with the same destination share. */
    public static final class Cursor {

        private volatile boolean inLine;

        boolean isInLine() {
            return inLine;
        }
    }

    private final Cursor cursor;

    public LineStream(OutputStream out, Cursor cursor) {
        super(out);
        this.cursor = cursor;
    }

    @Override
    public void write(int b) throws IOException {
        out.write(b);
        cursor.inLine = b != '\n';
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
        if (length > 0) {
            cursor.inLine = bytes[from + length - 1] != '\n';
        }
    }
}
