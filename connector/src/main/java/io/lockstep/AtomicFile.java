package io.lockstep;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * Reads and writes small files atomically on any of Flink's file systems: a reader sees either the
 * old or the new content, never a part of it. Once {@link #write} returns, the new content survives
 * a power failure.
 *
 * <ul>
 *   <li>{@code file}: writes a temporary file, syncs it, moves it atomically and syncs the
 *       directory.
 *   <li>Object stores: a single overwriting PUT.
 *   <li>Others, such as HDFS: writes a temporary file, syncs it and renames it. If the file system
 *       does not rename onto an existing file, the old file is first renamed to a backup, which
 *       {@link #read} finds if the writer dies in between. The old file is never deleted before the
 *       new one is in place.
 * </ul>
 *
 * <p>Names of temporary and backup files begin with a dot. All methods may block on a remote file
 * system.
 */
@Internal
public final class AtomicFile {

    private static final Set<String> OBJECT_STORES =
            Set.of("s3", "s3a", "s3p", "gs", "abfs", "abfss", "oss");

    private static final int ATTEMPTS = 3;

    private AtomicFile() {}

    /** Writes or replaces a file. Creates the parent directory if necessary. */
    public static void write(Path file, byte[] content) throws IOException {
        FileSystem files = file.getFileSystem();
        String scheme = files.getUri().getScheme();
        if ("file".equals(scheme)) {
            writeLocal(java.nio.file.Path.of(file.getPath()).toAbsolutePath(), content);
        } else if (OBJECT_STORES.contains(scheme)) {
            RemoteCalls.call(file, () -> put(files, file, content));
        } else {
            RemoteCalls.call(file, () -> writeAndRename(files, file, content));
        }
    }

    /**
     * Returns the content of a file.
     *
     * @throws FileNotFoundException if the file does not exist
     */
    public static byte[] read(Path file) throws IOException {
        FileSystem files = file.getFileSystem();
        try {
            return readAll(files, file);
        } catch (FileNotFoundException e) {
            if (isRenamed(files) && files.exists(former(file))) {
                return readAll(files, former(file));
            }
            throw e;
        }
    }

    /** Deletes a file if it exists. */
    public static void delete(Path file) throws IOException {
        FileSystem files = file.getFileSystem();
        RemoteCalls.call(file, () -> files.delete(file, false));
        if (isRenamed(files)) {
            files.delete(former(file), false);
        }
    }

    private static boolean isRenamed(FileSystem files) {
        String scheme = files.getUri().getScheme();
        return !"file".equals(scheme) && !OBJECT_STORES.contains(scheme);
    }

    private static Path former(Path file) {
        return new Path(file.getParent(), "." + file.getName() + ".former");
    }

    private static byte[] readAll(FileSystem files, Path file) throws IOException {
        return RemoteCalls.call(
                file,
                () -> {
                    try (FSDataInputStream in = files.open(file)) {
                        return in.readAllBytes();
                    }
                });
    }

    private static Path put(FileSystem files, Path file, byte[] content) throws IOException {
        try (FSDataOutputStream out = files.create(file, WriteMode.OVERWRITE)) {
            out.write(content);
        }
        return file;
    }

    private static void writeLocal(java.nio.file.Path file, byte[] content) throws IOException {
        java.nio.file.Path directory = file.getParent();
        makeDirectory(directory);
        java.nio.file.Path aside =
                directory.resolve("." + file.getFileName() + "." + UUID.randomUUID());
        try {
            try (FileChannel out =
                    FileChannel.open(
                            aside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(content);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.deleteIfExists(aside);
            throw e;
        }
        sync(directory);
    }

    /** Creates a directory and its missing parents, and syncs the new directory entries. */
    private static void makeDirectory(java.nio.file.Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        java.nio.file.Path parent = directory.getParent();
        if (parent != null) {
            makeDirectory(parent);
        }
        Files.createDirectories(directory);
        if (parent != null) {
            sync(parent);
        }
    }

    private static void sync(java.nio.file.Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path writeAndRename(FileSystem files, Path file, byte[] content)
            throws IOException {
        files.mkdirs(file.getParent());
        Path aside = new Path(file.getParent(), "." + file.getName() + "." + UUID.randomUUID());
        try {
            try (FSDataOutputStream out = files.create(aside, WriteMode.NO_OVERWRITE)) {
                out.write(content);
                out.sync();
            }
            place(files, aside, file);
            return file;
        } catch (IOException e) {
            files.delete(aside, false);
            throw e;
        }
    }

    private static void place(FileSystem files, Path aside, Path file) throws IOException {
        IOException refused = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                if (files.rename(aside, file)) {
                    files.delete(former(file), false);
                    return;
                }
            } catch (IOException e) {
                refused = e;
            }
            if (files.exists(file)) {
                // A backup left behind by a dead writer. The file itself exists, so the backup is
                // never read.
                files.delete(former(file), false);
                files.rename(file, former(file));
            }
        }
        throw new IOException("cannot rename " + aside + " to " + file, refused);
    }
}
