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
 * Loads the native xxHash library, which hashes several times faster than Java.
 *
 * <p>Loading takes a tenth of a second, so only jobs load it, in parallel with their first steps.
 * Until then, or if it cannot be loaded, {@link JavaLaneHash} computes the same digests.
 *
 * <p>Both implementations are needed. With the native library, digests cost 1.1 % of the throughput
 * of a job that reads as fast as two cores can; in Java, about 7 %. But the library cannot be
 * loaded if the temporary directory is mounted without execute permission or LWJGL has no build for
 * the processor, and digests must not depend on either. Tests check that both return the same bits.
 */
public final class NativeHash {

    private static final Logger LOG = LoggerFactory.getLogger(NativeHash.class);

    /** A name that no file system allows. */
    private static final String NOWHERE = "\0";

    private static final AtomicBoolean ASKED = new AtomicBoolean();
    private static volatile boolean loaded;

    private NativeHash() {}

    /** Loads the library once. A failure is only logged. Thread-safe. */
    public static void load() {
        if (!ASKED.compareAndSet(false, true)) {
            return;
        }
        try {
            // Use a separate directory, because a process can load a file for one class loader
            // only, and two jobs in a TaskManager have two.
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

    /** Creates a hash with the fastest available implementation. The caller closes it. */
    static LaneHash fastest() {
        return loaded ? new NativeLaneHash() : new JavaLaneHash();
    }

    /** Loads the library from files that it extracts into an empty directory. */
    static void loadFrom(Path directory) {
        Configuration.SHARED_LIBRARY_EXTRACT_PATH.set(directory.toString());
        // If the library cannot be loaded from there, LWJGL would extract it into the working
        // directory or the home directory.
        Configuration.SHARED_LIBRARY_EXTRACT_DIRECTORY.set(NOWHERE);
        // On failure, LWJGL prints advice that does not apply here.
        Configuration.DEBUG_STREAM.set(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try (LaneHash hash = new NativeLaneHash()) {
            hash.digest(new long[0]);
        }
        loaded = true;
    }

    /** Deletes the extracted files. The libraries stay loaded without them. */
    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
