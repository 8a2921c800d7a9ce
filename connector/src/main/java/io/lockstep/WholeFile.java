package io.lockstep;

import java.io.IOException;
import java.util.UUID;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * Puts whole files into their place on any of Flink's file systems: who reads sees all of a
 * content, never a part. Readers ignore names that begin with a dot.
 */
@Internal
public final class WholeFile {

    private static final int ATTEMPTS = 3;

    private WholeFile() {}

    /** Writes a file, or replaces it. Its directory need not exist yet. */
    public static void write(Path file, byte[] content) throws IOException {
        FileSystem files = file.getFileSystem();
        files.mkdirs(file.getParent());
        Path aside = new Path(file.getParent(), "." + file.getName() + "." + UUID.randomUUID());
        try {
            write(files, aside, content, WriteMode.NO_OVERWRITE);
            place(files, aside, file, content);
        } catch (IOException e) {
            files.delete(aside, false);
            throw e;
        }
    }

    private static void place(FileSystem files, Path aside, Path file, byte[] content)
            throws IOException {
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                if (files.rename(aside, file)) {
                    return;
                }
                // Some refuse to rename onto a file, and another writer may put one there again.
                files.delete(file, false);
            }
        } catch (IOException e) {
            if (!files.exists(file)) {
                throw e;
            }
            // An object store: it refuses to rename onto an object, but writes objects as a whole.
            write(files, file, content, WriteMode.OVERWRITE);
            files.delete(aside, false);
            return;
        }
        throw new IOException("cannot rename " + aside + " to " + file);
    }

    private static void write(FileSystem files, Path file, byte[] content, WriteMode mode)
            throws IOException {
        try (FSDataOutputStream out = files.create(file, mode)) {
            out.write(content);
        }
    }
}
