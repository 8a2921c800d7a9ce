package io.lockstep.manifest;

import io.lockstep.UserException;
import io.lockstep.WholeFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.core.fs.FSDataInputStream;
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
        if (fileSystem.exists(sealed) && Arrays.equals(bytes, readAll(fileSystem, sealed))) {
            return manifest.digest();
        }
        WholeFile.write(sealed, bytes);
        return manifest.digest();
    }

    /**
     * @throws UserException where there is no such manifest, or it is not what its name says
     */
    public Manifest load(String digest) throws IOException {
        Path sealed = path(digest);
        Manifest manifest;
        try {
            byte[] bytes = readAll(directory.getFileSystem(), sealed);
            manifest = ManifestJson.read(new GZIPInputStream(new ByteArrayInputStream(bytes)));
        } catch (FileNotFoundException e) {
            throw new UserException(
                    "There is no manifest "
                            + sealed
                            + "; the run directory is not complete: restore it, or start a new run.",
                    e);
        } catch (IOException | IllegalArgumentException e) {
            throw new UserException(
                    "The manifest "
                            + sealed
                            + " cannot be read ("
                            + e.getMessage()
                            + "); restore it, or start a new run.",
                    e);
        }
        if (!manifest.digest().equals(digest)) {
            throw new UserException(
                    "The manifest "
                            + sealed
                            + " was changed: its digest is "
                            + manifest.digest()
                            + "; restore it, or start a new run.");
        }
        return manifest;
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

    private static byte[] readAll(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataInputStream in = fileSystem.open(path)) {
            return in.readAllBytes();
        }
    }
}
