package io.lockstep.cli;

import io.lockstep.audit.DigestRetention;
import io.lockstep.audit.DigestRow;
import io.lockstep.audit.DigestWriter;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.cli.runfile.RunFileWriter;
import io.lockstep.materialize.StepRows;
import io.lockstep.order.Order;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.enumerator.StreamSealer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/** Creates run directories as a run leaves them. */
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

    /** Records what a rank of a generation received of the stream {@code train}, step by step. */
    static void record(
            RunDirectory run,
            DigestRow.Kind kind,
            long generation,
            int rank,
            int world,
            long epoch,
            long... steps)
            throws IOException {
        PlannedStream dataset = PastRun.open(run.root()).stream("train");
        Order order = dataset.order();
        int[] lanes = order.rankLanes(rank, world, false);
        try (DigestWriter writer = DigestWriter.open(run, DigestRetention.KEEP)) {
            for (long step : steps) {
                try (StepRows rows =
                        StepRows.direct(dataset.content(), order, epoch, step, lanes)) {
                    writer.add(
                            new DigestRow(
                                    kind,
                                    "train",
                                    generation,
                                    rank,
                                    epoch,
                                    step,
                                    Arrays.stream(lanes).boxed().toList(),
                                    rows.digests()));
                }
            }
        }
    }
}
