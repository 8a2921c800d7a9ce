package io.lockstep.cli;

import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.cli.runfile.RunFileWriter;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.enumerator.StreamSealer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Run directories as a run leaves them before its first step. */
final class SealedRuns {

    private SealedRuns() {}

    /**
     * Seals a run.
     *
     * @param streams of the run file, in YAML; relative paths start from the directory's parent
     */
    static RunDirectory seal(Path directory, String streams) throws IOException {
        Path file = directory.resolveSibling(directory.getFileName() + ".yaml");
        Files.writeString(file, "streams:\n" + streams);
        RunFile run = RunFileReader.read(file).in(directory.toString());
        RunDirectory sealed = new RunDirectory(run.directory());
        new StreamSealer(sealed, (done, total) -> {}).seal(run.streams(), Map.of());
        sealed.writeSettings(RunFileWriter.write(run));
        return sealed;
    }
}
