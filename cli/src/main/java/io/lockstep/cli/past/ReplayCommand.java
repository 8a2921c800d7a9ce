package io.lockstep.cli.past;

import io.lockstep.Plural;
import io.lockstep.audit.DigestArchive;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.option.OutputOptions;
import io.lockstep.cli.option.RankOptions;
import io.lockstep.cli.option.TrustOption;
import io.lockstep.dataset.EpochTable;
import io.lockstep.materialize.StepRows;
import io.lockstep.order.Order;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.arrow.vector.VectorSchemaRoot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep replay}: rebuilds a batch of a past run. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description = {
            "Rebuild a batch of a past run from its sealed manifest, without Flink.",
            "Prints the global batch, or the share of --rank R of --world W, with _weight if rows are padding. "
                    + "Compares its digest with the recorded one on standard error, and exits with 1 if they differ."
        })
public final class ReplayCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(paramLabel = "RUN_DIR", description = "The run directory.")
    private String run;

    @Option(
            names = "--step",
            paramLabel = "N",
            required = true,
            description =
                    "The step, from 0, counted over all epochs of the run; with --epoch, within that epoch.")
    private long step;

    @Option(names = "--epoch", paramLabel = "E", description = "The epoch, from 0.")
    private Long epoch;

    @Option(
            names = "--stream",
            paramLabel = "NAME",
            defaultValue = "train",
            description = "The stream of the run. Default: train.")
    private String stream;

    @Option(
            names = "--before",
            description =
                    "Print the rows as they are in the data, before any transform; no digest is compared.")
    private boolean before;

    @Mixin private RankOptions rank;

    @Mixin private OutputOptions output;

    @Mixin private TrustOption trust;

    public ReplayCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        PastRun past = PastRun.open(run, trust.isGiven());
        PlannedStream sealed = past.stream(stream);
        PlannedStream planned = before ? sealed.before() : sealed;
        Order order = planned.order();
        int[] lanes = rank.lanes(order);
        EpochTable table = planned.dataset().epochs(order);
        long position = position(table, planned.spec().epochs());
        long ofEpoch = table.at(position).epoch();
        long inEpoch = table.at(position).step(position);
        try (StepRows rows = StepRows.direct(planned.content(), order, ofEpoch, inEpoch, lanes)) {
            VectorSchemaRoot made = rows.padded() > 0 ? rows.weighted() : rows.root();
            output.write(made.getSchema(), console, writer -> writer.write(made));
            console.print(
                    "stream '"
                            + stream
                            + "', epoch "
                            + ofEpoch
                            + ", step "
                            + inEpoch
                            + " (step "
                            + position
                            + " of the run)");
            if (before) {
                return 0;
            }
            DigestCheck check =
                    DigestCheck.of(
                            new DigestArchive(past.directory()).lookup(stream, ofEpoch, inEpoch),
                            lanes,
                            rows.digests());
            console.print(check.sentence());
            return check.differs() ? 1 : 0;
        }
    }

    /** A step counted over all epochs. */
    private long position(EpochTable table, int epochs) {
        if (step < 0 || epoch != null && epoch < 0) {
            throw new UsageException("epochs and steps count from 0");
        }
        if (epoch != null) {
            if (!table.has(epoch)) {
                throw new UsageException(
                        "there is no epoch " + epoch + ": the last is " + (table.count() - 1));
            }
            long steps = table.of(epoch).steps();
            if (step >= steps) {
                throw new UsageException(
                        "there is no step "
                                + step
                                + ": epoch "
                                + epoch
                                + " of the stream '"
                                + stream
                                + "' has the steps 0 to "
                                + (steps - 1)
                                + "; without --epoch, --step counts over all epochs");
            }
            return table.position(epoch, step);
        }
        long all = table.stepsOfFirst(epochs);
        if (step >= all) {
            throw new UsageException(
                    "the run has no step "
                            + step
                            + ": the stream '"
                            + stream
                            + "' has the steps 0 to "
                            + (all - 1)
                            + " in "
                            + Plural.of(epochs, "epoch")
                            + "; steps of later epochs are named with --epoch");
        }
        return step;
    }
}
