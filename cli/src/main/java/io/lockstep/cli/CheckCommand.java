package io.lockstep.cli;

import io.lockstep.Plural;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.data.PurityCheck;
import io.lockstep.cli.data.PurityCheck.Impure;
import io.lockstep.cli.data.TargetOptions;
import io.lockstep.order.Order;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep check}: tests whether transforms are pure functions of their rows. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Check that each transform of a stream is a pure function of its rows.",
            "Runs it on rows of the data again, with other cuts, another order of the rows, other epochs between "
                    + "and in other worker processes, and compares the results. Exits with 1 if one differs."
        })
final class CheckCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private TargetOptions target;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    CheckCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        PlannedStream planned = target.open(console).fitted(console);
        Optional<Impure> impure = PurityCheck.of(planned);
        if (impure.isEmpty()) {
            print(planned);
            return 0;
        }
        Order order = planned.order();
        long number = impure.get().number();
        long sample = planned.sampleIds(order).sample(number);
        print(planned, impure.get().transform(), sample, order.locate(0, number).step());
        return 1;
    }

    private void print(PlannedStream planned) throws IOException {
        if (json) {
            JsonText.line(
                    console.out(),
                    out -> {
                        out.writeStartObject();
                        out.writeBooleanField("pure", true);
                        out.writeEndObject();
                    });
        } else {
            int count = planned.spec().transforms().size();
            console.out()
                    .printf(
                            "stream '%s': %s, no difference found%n",
                            planned.spec().name(), Plural.of(count, "transform"));
        }
    }

    /**
     * @param step of epoch 0; -1 if no step of it has the sample
     */
    private void print(PlannedStream planned, String transform, long sample, long step)
            throws IOException {
        if (json) {
            JsonText.line(
                    console.out(),
                    out -> {
                        out.writeStartObject();
                        out.writeBooleanField("pure", false);
                        out.writeStringField("transform", transform);
                        out.writeStringField("stream", planned.spec().name());
                        out.writeNumberField("epoch", 0);
                        out.writeFieldName("step");
                        if (step < 0) {
                            out.writeNull();
                        } else {
                            out.writeNumber(step);
                        }
                        out.writeNumberField("sample", sample);
                        out.writeEndObject();
                    });
            return;
        }
        String where = step < 0 ? "in no step of epoch 0" : "epoch 0, step " + step;
        console.out()
                .printf(
                        "stream '%s': the transform '%s' is not a pure function of its rows: sample %d"
                                + " (%s) had another result when it ran again%n",
                        planned.spec().name(), transform, sample, where);
    }
}
