package io.lockstep.cli.data;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FileSystems;
import io.lockstep.cli.console.FooterProgress;
import io.lockstep.cli.run.SealedRun;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.dataset.EpochTable;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.order.Order;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.util.List;

/**
 * A dataset with its manifest, and the order over it.
 *
 * @param spec what was asked for
 * @param manifest what is there
 */
public record Dataset(StreamSpec spec, Manifest manifest) {

    /** Lists the dataset and reads its footers; progress is shown where it takes a while. */
    public static Dataset open(StreamSpec spec, Console console) throws IOException {
        return new Dataset(spec, plan(spec.data(), console));
    }

    /** Seals a run, and takes the dataset of one of its streams as it is sealed. */
    public static Dataset seal(RunFile run, StreamSpec stream, Console console) throws IOException {
        FileSystems.load();
        return new Dataset(stream, SealedRun.seal(run, console).manifest(stream.name()));
    }

    /** The manifest of what lies there now. */
    public static Manifest plan(List<String> data, Console console) throws IOException {
        FileSystems.load();
        return ManifestPlanner.plan(data, new FooterProgress(console));
    }

    /** How long each epoch is. */
    public EpochTable table() {
        return EpochTable.constant(order().steps(), manifest.rows(), manifest.digest());
    }

    /** The order; where many steps are wanted, to be asked for once. */
    public Order order() {
        return new Order(spec.order(), manifest.rowGroupRows());
    }
}
