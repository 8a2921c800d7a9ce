package io.lockstep.cli;

import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.RowGroup;
import io.lockstep.manifest.Shard;
import io.lockstep.order.Order;
import io.lockstep.order.Place;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep locate}: where a sample stands in an epoch. */
@Command(
        name = "locate",
        mixinStandardHelpOptions = true,
        description = "Tell where a sample stands in an epoch: its step, lane and place.")
final class LocateCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private TargetOptions target;

    @Option(names = "--epoch", paramLabel = "E", description = "From 0. Default: 0.")
    private long epoch;

    @ArgGroup(multiplicity = "1")
    private Wanted wanted;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    LocateCommand(Console console) {
        this.console = console;
    }

    /** One sample, named in one of two ways. */
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
                description = "A file of the dataset, its path or the end of it.")
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
        Dataset dataset = target.open(console);
        Manifest manifest = dataset.manifest();
        Order order = dataset.order();
        long sample =
                wanted.sample != null
                        ? wanted.sample
                        : SampleOfRow.find(manifest, wanted.row.file, wanted.row.number);
        Place place = order.locate(epoch, sample);
        RowGroup group = manifest.rowGroups().get(place.rowGroup());
        Shard shard = manifest.shards().get(group.shard());
        long row = place.row() + SampleOfRow.rowsBefore(manifest, place.rowGroup());
        if (json) {
            JsonText.line(
                    console.out(),
                    out -> {
                        out.writeStartObject();
                        out.writeNumberField("sample", sample);
                        out.writeStringField("file", shard.path());
                        out.writeNumberField("rowGroup", group.ordinal());
                        out.writeNumberField("row", row);
                        if (place.dropped()) {
                            out.writeNullField("step");
                        } else {
                            out.writeNumberField("step", place.step());
                        }
                        out.writeNumberField("lane", place.lane());
                        out.writeNumberField("place", place.place());
                        out.writeEndObject();
                    });
            return 0;
        }
        console.out()
                .printf(
                        "sample %d is row %d of %s (row group %d)%n",
                        sample, row, shard.path(), group.ordinal());
        console.out()
                .printf(
                        place.dropped()
                                ? "in epoch %d lane %d drops it with its tail%n"
                                : "in epoch %d it stands in lane %d, step %d, place %d%n",
                        epoch,
                        place.lane(),
                        place.step(),
                        place.place());
        return 0;
    }
}
