package io.lockstep.cli.run;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestStore;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.feedback.StreamInfo;
import java.io.IOException;
import java.util.List;

/** A run directory with sealed streams, for a run that starts later. */
public final class SealedRun {

    private final RunDirectory directory;
    private final List<StreamInfo> streams;

    private SealedRun(RunDirectory directory, List<StreamInfo> streams) {
        this.directory = directory;
        this.streams = streams;
    }

    /**
     * Seals all streams in the run's directory. Existing seals stay unchanged.
     *
     * @throws UsageException if the run names no directory
     */
    public static SealedRun seal(RunFile file, Console console) throws IOException {
        if (file.directory() == null) {
            throw new UsageException(
                    "--seal needs the directory of the run: name it by --run DIR, or by"
                            + " run.directory in the run file");
        }
        try (PreparedRun run = PreparedRun.seal(file, "plan --seal", console)) {
            return new SealedRun(run.directory(), run.streams());
        }
    }

    public RunDirectory directory() {
        return directory;
    }

    /** The sealed manifest of a stream of the run. */
    public Manifest manifest(String stream) throws IOException {
        String digest =
                streams.stream()
                        .filter(info -> info.name().equals(stream))
                        .findFirst()
                        .orElseThrow()
                        .manifest();
        return new ManifestStore(directory.manifests()).load(digest);
    }
}
