package io.lockstep.audit;

import io.lockstep.run.RunDirectory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Writes digests until it is killed, and prints the number of durable ones. Argument: the
 * directory.
 */
final class DigestWriterProcess {

    private DigestWriterProcess() {}

    public static void main(String[] arguments) throws Exception {
        try (DigestWriter writer =
                        new DigestWriter(
                                new RunDirectory(arguments[0]),
                                DigestRetention.KEEP,
                                Duration.ofMillis(1));
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            long printed = 0;
            for (long step = 0; true; step++) {
                long rows = writer.add(DigestRows.consumed(Long.parseLong(arguments[1]), 0, step));
                if (rows % 200 == 0) {
                    writer.whenDurable().get();
                }
                long durable = writer.settled();
                if (durable > printed) {
                    printed = durable;
                    out.write((durable + "\n").getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }
}
