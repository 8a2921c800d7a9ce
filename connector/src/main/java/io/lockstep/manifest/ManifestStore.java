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
 * The sealed manifests of a run: a directory of files {@code <digest>.json.gz}, each complete or
 * absent. Thread-safe, and safe among processes.
 */
public final class ManifestStore {

    private static final String SUFFIX = ".json.gz";

    private final Path directory;

    /**
     * @param directory need not exist yet
     */
    public ManifestStore(Path directory) {
        this.directory = directory;
    }

    /**
     * Keeps a manifest, once. A dataset that was planned again at another place, or whose files
     * were copied, has the same digest: then the newer file takes the place of the older.
     *
     * @return the digest to load it by
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

    /** Whether there is a file for a manifest, readable or not. */
    public boolean contains(String digest) throws IOException {
        return directory.getFileSystem().exists(path(digest));
    }

    /**
     * @throws UnreadableFileException where there is no such manifest, or it is damaged
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
