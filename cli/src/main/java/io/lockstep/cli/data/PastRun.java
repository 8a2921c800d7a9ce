package io.lockstep.cli.data;

import io.lockstep.FileSystemOf;
import io.lockstep.RemoteCalls;
import io.lockstep.UserException;
import io.lockstep.cli.console.FileSystems;
import io.lockstep.cli.console.GivenPaths;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.run.RunDirectory;
import io.lockstep.run.StreamSeal;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.core.fs.FileSystem;

/**
 * A run as recorded in its directory: the resolved settings and the sealed streams. Lists no files
 * and writes nothing; shards are compared with the manifest when they are read.
 */
public final class PastRun {

    private static final String SETTINGS = "run.yaml";
    private static final String STREAMS = "streams";

    private final RunDirectory directory;
    private final RunFile settings;
    private final boolean trusted;

    private PastRun(RunDirectory directory, RunFile settings, boolean trusted) {
        this.directory = directory;
        this.settings = settings;
        this.trusted = trusted;
    }

    /**
     * Whether a directory contains a run.
     *
     * @param root an absolute path or a URI
     */
    public static boolean isAt(String root) throws IOException {
        org.apache.flink.core.fs.Path path = new org.apache.flink.core.fs.Path(root);
        FileSystem files = FileSystemOf.path(path);
        return RemoteCalls.call(
                path,
                () ->
                        files.exists(new org.apache.flink.core.fs.Path(path, SETTINGS))
                                && files.exists(new org.apache.flink.core.fs.Path(path, STREAMS)));
    }

    /**
     * Reads a run directory.
     *
     * @param written a path relative to the working directory, or a URI
     * @param trusted whether its functions may be run even if another user owns it
     * @throws UsageException if it contains no run
     */
    public static PastRun open(String written, boolean trusted) throws IOException {
        FileSystems.load();
        String root = GivenPaths.absolute(written);
        if (!isAt(root)) {
            throw new UsageException(
                    root
                            + " is no run directory: it has no "
                            + SETTINGS
                            + " and "
                            + STREAMS
                            + "/; 'lockstep runs ls' lists those below a directory");
        }
        RunDirectory directory = new RunDirectory(root);
        String yaml =
                directory
                        .readSettings()
                        .orElseThrow(() -> new UserException("the run " + root + " has just gone"));
        return new PastRun(directory, RunFileReader.parse(Path.of(root, SETTINGS), yaml), trusted);
    }

    /** Reads a run directory, for a verb that runs none of its functions. */
    public static PastRun open(String written) throws IOException {
        return open(written, false);
    }

    public RunDirectory directory() {
        return directory;
    }

    public RunFile settings() {
        return settings;
    }

    /**
     * Opens a stream over its sealed manifest.
     *
     * <p>Its content is refused if it would run functions of another user.
     *
     * @throws UserException if the run has no such stream, or the stream differs from the sealed
     *     one
     */
    public PlannedStream stream(String stream) throws IOException {
        StreamSpec spec = settings.stream(stream);
        StreamSeal seal =
                directory
                        .readStream(stream)
                        .orElseThrow(
                                () ->
                                        new UserException(
                                                "the stream '"
                                                        + stream
                                                        + "' of the run "
                                                        + directory.root()
                                                        + " was never sealed: the run ended before"
                                                        + " its first step"));
        Manifest manifest = new ManifestStore(directory.manifests()).load(seal.manifest());
        String distrust =
                trusted ? null : RunOwner.of(directory.root()).refusal(spec, SETTINGS).orElse(null);
        PlannedStream planned =
                PlannedStream.sealed(directory, spec, manifest).distrusted(distrust);
        if (!planned.order().fingerprint(seal.manifest()).equals(seal.fingerprint())) {
            throw new UserException(
                    "the order's settings of the stream '"
                            + stream
                            + "' in "
                            + directory.root()
                            + "/"
                            + SETTINGS
                            + " are not those that the run was sealed with (fingerprint "
                            + seal.fingerprint()
                            + "): restore the file");
        }
        return planned;
    }
}
