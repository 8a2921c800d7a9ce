package io.lockstep.digest;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.lwjgl.system.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads xxHash's own library in C, which hashes several times as fast as Java can.
 *
 * <p>Loading takes a tenth of a second, so only a job does it, beside its first steps. Until then,
 * and where it can't be loaded, {@link JavaLaneHash} makes the same digests.
 *
 * <p>There are two implementations because neither is enough. By this library, digests cost 1.1 %
 * of the throughput of a job that reads as fast as two cores can, in Java about 7 %. But the
 * library can't be loaded where the temporary directory forbids execution, nor on a processor that
 * LWJGL has no build for, and digests must not depend on that. Both are tested to give the same
 * bits.
 */
public final class NativeHash {

    private static final Logger LOG = LoggerFactory.getLogger(NativeHash.class);

    /** No file system has such a name. */
    private static final String NOWHERE = "\0";

    private static final AtomicBoolean ASKED = new AtomicBoolean();
    private static volatile boolean loaded;

    private NativeHash() {}

    /** Loads it, once; where that fails, the log says so and nothing else happens. Thread-safe. */
    public static void load() {
        if (!ASKED.compareAndSet(false, true)) {
            return;
        }
        try {
            // Of its own, since a process can load a file for one class loader only, and two jobs
            // in a task manager have two.
            Path directory = Files.createTempDirectory("lockstep-xxhash-");
            try {
                loadFrom(directory);
            } finally {
                delete(directory);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.info("Digests take more time, since xxHash's library was not loaded: {}", e, e);
        }
    }

    /** A new one, to be closed. */
    static LaneHash fastest() {
        return loaded ? new NativeLaneHash() : new JavaLaneHash();
    }

    /** Loads it from files that it makes in an empty directory. */
    static void loadFrom(Path directory) {
        Configuration.SHARED_LIBRARY_EXTRACT_PATH.set(directory.toString());
        // Where no library can be loaded from there, LWJGL would leave its files in the working
        // directory, or at home.
        Configuration.SHARED_LIBRARY_EXTRACT_DIRECTORY.set(NOWHERE);
        // What it would print where it fails is advice on another kind of program.
        Configuration.DEBUG_STREAM.set(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try (LaneHash hash = new NativeLaneHash()) {
            hash.digest(new long[0]);
        }
        loaded = true;
    }

    /** The libraries stay loaded without their files. */
    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
