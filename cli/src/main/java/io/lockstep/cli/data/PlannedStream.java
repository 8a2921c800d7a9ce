package io.lockstep.cli.data;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FileSystems;
import io.lockstep.cli.console.FooterProgress;
import io.lockstep.cli.console.FooterProgress.Skipped;
import io.lockstep.cli.run.SealedRun;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.materialize.Content;
import io.lockstep.order.Order;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.util.List;

/**
 * A planned or sealed stream: its dataset and the order over it.
 *
 * @param spec the requested stream
 * @param manifest the dataset's files and row groups
 * @param skipped the files beside them; empty if the stream was sealed before
 */
public record PlannedStream(StreamSpec spec, Manifest manifest, List<Skipped> skipped) {

    /** Lists the dataset and reads its footers; shows progress if that takes a while. */
    public static PlannedStream open(StreamSpec spec, Console console) throws IOException {
        FileSystems.load();
        FooterProgress progress = new FooterProgress(console);
        Manifest manifest = ManifestPlanner.plan(spec.data(), progress);
        return new PlannedStream(spec, manifest, progress.skipped());
    }

    /** Seals a run and returns one of its streams over the sealed dataset. */
    public static PlannedStream seal(RunFile run, StreamSpec stream, Console console)
            throws IOException {
        FileSystems.load();
        Manifest manifest = SealedRun.seal(run, console).manifest(stream.name());
        return new PlannedStream(stream, manifest, List.of());
    }

    /** The manifest of the dataset as it is now. */
    public static Manifest plan(List<String> data, Console console) throws IOException {
        FileSystems.load();
        return ManifestPlanner.plan(data, new FooterProgress(console));
    }

    public Dataset dataset() {
        return Dataset.only(manifest);
    }

    /** How its row groups become rows. */
    public Content content() {
        return new Content(dataset(), spec.columns(), spec.schema(), spec.chain());
    }

    /** Creates the order; create it once if you need many steps. */
    public Order order() {
        return dataset().order(spec.order());
    }
}
