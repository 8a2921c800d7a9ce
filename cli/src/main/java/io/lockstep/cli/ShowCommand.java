package io.lockstep.cli;

import io.lockstep.cli.console.Console;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.data.TargetOptions;
import io.lockstep.cli.option.OutputOptions;
import io.lockstep.cli.option.RankOptions;
import io.lockstep.materialize.StepRows;
import io.lockstep.order.Order;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep show}: prints the rows of a step as the trainers receive them. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        description = {
            "Print the rows of a step in batch order, with their sample ids in _sample.",
            "Prints the global batch, or the share of --rank R of --world W."
        })
final class ShowCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private TargetOptions target;

    @Option(names = "--epoch", paramLabel = "E", description = "The epoch, from 0. Default: 0.")
    private long epoch;

    @Option(names = "--step", paramLabel = "S", description = "The step, from 0. Default: 0.")
    private long step;

    @Option(
            names = "--after",
            paramLabel = "NAME",
            description = "Run the stream's transforms up to this one only. Default: all.")
    private String after;

    @Mixin private RankOptions rank;

    @Mixin private OutputOptions output;

    ShowCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        PlannedStream all = target.open(console);
        PlannedStream planned = (after == null ? all : all.after(after)).fitted(console);
        Order order = planned.order();
        int[] lanes = rank.lanes(order);
        try (StepRows rows = StepRows.direct(planned.content(), order, epoch, step, lanes)) {
            output.write(rows.root().getSchema(), console, writer -> writer.write(rows.root()));
            if (rows.padded() > 0) {
                console.print(
                        rows.padded()
                                + (rows.padded() == 1 ? " of the rows is" : " of the rows are")
                                + " padding: repeated, with weight 0");
            }
        }
        return 0;
    }
}
