package io.lockstep.ownership;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies this process among all processes on the host: PID namespace, PID and start time. A PID
 * alone is not enough, since each container counts from 1 and a restarted container reuses the same
 * PIDs.
 */
final class ProcessIdentity {

    /**
     * Of the fields of {@code /proc/PID/stat} after the command's name, the start time in clock
     * ticks.
     */
    private static final int START = 19;

    private ProcessIdentity() {}

    /** Letters, digits and dots. */
    static String own() {
        return String.join(
                ".",
                numberSpace(),
                Long.toString(ProcessHandle.current().pid()),
                Long.toString(startTicks()));
    }

    private static String numberSpace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                    .toString()
                    .replaceAll("\\D", "");
        } catch (IOException | UnsupportedOperationException e) {
            return "0";
        }
    }

    private static long startTicks() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[START]);
        } catch (IOException e) {
            return ProcessHandle.current()
                    .info()
                    .startInstant()
                    .map(start -> start.toEpochMilli())
                    .orElse(0L);
        }
    }
}
