package io.lockstep.cli;

import io.lockstep.UserException;
import io.lockstep.audit.DigestArchive;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.data.SampleOfRow;
import io.lockstep.cli.data.SampleRow;
import io.lockstep.cli.data.TargetOptions;
import io.lockstep.cli.option.SeedConverter;
import io.lockstep.cli.past.SampleHistory;
import io.lockstep.cli.past.Serving;
import io.lockstep.materialize.SampleIds;
import io.lockstep.order.Order;
import io.lockstep.order.Place;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep locate}: finds a sample's position in an epoch. */
@Command(
        name = "locate",
        mixinStandardHelpOptions = true,
        description = {
            "Find the position of a sample in an epoch, or the steps of a run that served it.",
            "For a run directory, lists every step that served the sample, and the generation and rank that "
                    + "consumed it. With --epoch, and for all other targets, prints its step, lane and position."
        })
final class LocateCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private TargetOptions target;

    @Option(
            names = "--epoch",
            paramLabel = "E",
            description =
                    "The epoch, from 0. Default: 0; for a run directory, all epochs that were served.")
    private Long epoch;

    @ArgGroup(multiplicity = "1")
    private Wanted wanted;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    LocateCommand(Console console) {
        this.console = console;
    }

    /** One sample, given by id or by file and row. */
    private static final class Wanted {

        @Option(
                names = "--sample",
                paramLabel = "ID",
                required = true,
                converter = SeedConverter.class,
                description = "A sample id.")
        private Long sample;

        @ArgGroup(exclusive = false)
        private Row row;
    }

    /** A row of a file. */
    private static final class Row {

        @Option(
                names = "--file",
                paramLabel = "F",
                required = true,
                description = "A file of the dataset: its path or the end of its path.")
        private String file;

        @Option(
                names = "--row",
                paramLabel = "N",
                required = true,
                description = "A row of the file, from 0.")
        private long number;
    }

    @Override
    public Integer call() throws IOException {
        Optional<PastRun> past = target.past();
        PlannedStream planned =
                past.isPresent() ? past.get().stream(target.stream()) : target.open(console);
        Order order = planned.order();
        long sample =
                wanted.sample != null
                        ? wanted.sample
                        : SampleOfRow.find(planned.dataset(), wanted.row.file, wanted.row.number);
        SampleIds ids = planned.sampleIds(order);
        OptionalLong inOrder = ids.inOrder(sample);
        SampleRow row = SampleRow.of(planned.dataset(), sample);
        if (inOrder.isEmpty()) {
            throw new UserException(
                    row.sentence() + ", which " + planned.spec().rows() + " leaves out");
        }
        if (past.isPresent() && epoch == null) {
            DigestArchive archive = new DigestArchive(past.get().directory());
            history(
                    row,
                    new SampleHistory(archive, target.stream(), order).of(inOrder.getAsLong()));
        } else {
            place(row, order.locate(epoch == null ? 0 : epoch, inOrder.getAsLong()));
        }
        return 0;
    }

    /** Positions in a run directory, with what was recorded there. */
    private void history(SampleRow row, List<Serving> servings) throws IOException {
        if (servings.isEmpty()) {
            console.print(
                    "the run recorded no step that served this sample; --epoch E prints its"
                            + " position in an epoch");
        }
        if (!json) {
            console.printResult(row.sentence());
            servings.forEach(serving -> console.printResult(serving.sentence()));
            return;
        }
        JsonText.line(
                console.out(),
                out -> {
                    out.writeStartObject();
                    row.write(out);
                    out.writeArrayFieldStart("steps");
                    for (Serving serving : servings) {
                        serving.write(out);
                    }
                    out.writeEndArray();
                    out.writeEndObject();
                });
    }

    /** Positions according to the order. */
    private void place(SampleRow row, Place place) throws IOException {
        long ofEpoch = epoch == null ? 0 : epoch;
        if (!json) {
            console.printResult(row.sentence());
            console.out()
                    .printf(
                            place.dropped()
                                    ? "in epoch %d lane %d drops it with its tail%n"
                                    : "in epoch %d it stands in lane %d, step %d, place %d%n",
                            ofEpoch,
                            place.lane(),
                            place.step(),
                            place.place());
            return;
        }
        JsonText.line(
                console.out(),
                out -> {
                    out.writeStartObject();
                    row.write(out);
                    if (place.dropped()) {
                        out.writeNullField("step");
                    } else {
                        out.writeNumberField("step", place.step());
                    }
                    out.writeNumberField("lane", place.lane());
                    out.writeNumberField("place", place.place());
                    out.writeEndObject();
                });
    }
}
