package io.lockstep.manifest;

import io.lockstep.AtomicFile;
import io.lockstep.UnreadableFileException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Stores the sealed manifests of a run: a directory of files {@code <digest>.json.gz}, each
 * complete or absent. Safe for concurrent use by threads and processes.
 */
public final class ManifestStore {

    private static final String SUFFIX = ".json.gz";

    private final Path directory;

    /**
     * @param directory created by {@link #seal} if it does not exist
     */
    public ManifestStore(Path directory) {
        this.directory = directory;
    }

    /**
     * Stores a manifest once. A dataset that was planned again in another location, or whose files
     * were copied, has the same digest; the newer manifest then replaces the older one.
     *
     * @return the digest, with which to load the manifest
     */
    public String seal(Manifest manifest) throws IOException {
        FileSystem fileSystem = directory.getFileSystem();
        Path sealed = path(manifest.digest());
        byte[] bytes = encode(manifest);
        if (fileSystem.exists(sealed) && Arrays.equals(bytes, AtomicFile.read(sealed))) {
            return manifest.digest();
        }
        AtomicFile.write(sealed, bytes);
        return manifest.digest();
    }

    /** Returns whether a file exists for a manifest, readable or not. */
    public boolean contains(String digest) throws IOException {
        return directory.getFileSystem().exists(path(digest));
    }

    /**
     * @throws UnreadableFileException if the manifest does not exist or is damaged
     */
    public Manifest load(String digest) throws IOException {
        Path sealed = path(digest);
        Manifest manifest;
        try {
            byte[] bytes = AtomicFile.read(sealed);
            manifest = ManifestJson.read(new GZIPInputStream(new ByteArrayInputStream(bytes)));
        } catch (FileNotFoundException e) {
            throw unreadable(sealed, "there is no such file", e);
        } catch (IOException | IllegalArgumentException e) {
            String reason = e.getMessage() == null ? "it is truncated" : e.getMessage();
            throw unreadable(sealed, reason, e);
        }
        if (!manifest.digest().equals(digest)) {
            throw unreadable(sealed, "it was changed, its digest is " + manifest.digest(), null);
        }
        return manifest;
    }

    private static UnreadableFileException unreadable(Path file, String reason, Throwable cause) {
        return new UnreadableFileException(
                "the manifest " + file,
                reason,
                "restore it from a copy, or start a new run",
                cause);
    }

    private Path path(String digest) {
        return new Path(directory, digest + SUFFIX);
    }

    private static byte[] encode(Manifest manifest) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            ManifestJson.write(manifest, out);
        }
        return bytes.toByteArray();
    }
}
