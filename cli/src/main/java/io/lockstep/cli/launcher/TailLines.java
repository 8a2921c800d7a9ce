package io.lockstep.cli.launcher;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Keeps the last lines of an output. Thread-safe. */
final class TailLines {

    private static final int LONGEST = 4096;

    private final int keep;
    private final Deque<String> lines = new ArrayDeque<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean returned;

    TailLines(int keep) {
        this.keep = keep;
    }

    synchronized void add(byte[] bytes, int length) {
        for (int i = 0; i < length; i++) {
            add(bytes[i]);
        }
    }

    /** The last lines, oldest first, including an unfinished line. */
    synchronized List<String> lines() {
        List<String> all = new ArrayList<>(lines);
        if (line.size() > 0) {
            all.add(line.toString(StandardCharsets.UTF_8));
        }
        return all.size() > keep ? all.subList(all.size() - keep, all.size()) : all;
    }

    private void add(byte value) {
        if (value == '\n') {
            lines.addLast(line.toString(StandardCharsets.UTF_8));
            line.reset();
            returned = false;
            if (lines.size() > keep) {
                lines.removeFirst();
            }
        } else if (value == '\r') {
            returned = true;
        } else {
            // A progress bar overwrites its line; keep only the final text.
            if (returned) {
                line.reset();
                returned = false;
            }
            if (line.size() < LONGEST) {
                line.write(value);
            }
        }
    }
}
