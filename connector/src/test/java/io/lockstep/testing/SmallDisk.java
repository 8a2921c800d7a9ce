package io.lockstep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file system in memory that can be full or read-only. Tests are skipped without a mount. */
public final class SmallDisk implements AutoCloseable {

    private static final byte[] BLOCK = new byte[4096];

    private final Path directory;
    private final Path ballast;

    private SmallDisk(Path directory) {
        this.directory = directory;
        this.ballast = directory.resolve(".ballast");
    }

    /** Mounts one of 1 MB on an empty directory, or skips the test. */
    public static SmallDisk mount(Path directory) throws Exception {
        int status = run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory.toString());
        assumeTrue(status == 0, "no file system can be mounted: mount ended with " + status);
        return new SmallDisk(directory);
    }

    /** Takes every block that is left. */
    public void fill() throws IOException {
        IOException full = null;
        while (full == null) {
            try {
                Files.write(ballast, BLOCK, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                full = e;
            }
        }
        assertThat(full).hasMessageContaining("No space left");
    }

    /** Gives the blocks back. */
    public void free() throws IOException {
        Files.delete(ballast);
    }

    /** Lets nothing be written, or again. */
    public void readOnly(boolean now) throws Exception {
        String options = "remount," + (now ? "ro" : "rw");
        assertThat(run("mount", "-o", options, directory.toString())).isZero();
    }

    @Override
    public void close() throws Exception {
        assertThat(run("umount", "--lazy", directory.toString())).isZero();
    }

    private static int run(String... command) throws Exception {
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }
}
