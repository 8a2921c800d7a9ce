package io.lockstep.cli;

import io.lockstep.Plural;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.data.PurityCheck;
import io.lockstep.cli.data.PurityCheck.Impure;
import io.lockstep.cli.data.TargetOptions;
import io.lockstep.order.Place;
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
        Place place = planned.order().locate(0, impure.get().sample());
        print(planned, impure.get(), place);
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

    private void print(PlannedStream planned, Impure impure, Place place) throws IOException {
        if (json) {
            JsonText.line(
                    console.out(),
                    out -> {
                        out.writeStartObject();
                        out.writeBooleanField("pure", false);
                        out.writeStringField("transform", impure.transform());
                        out.writeStringField("stream", planned.spec().name());
                        out.writeNumberField("epoch", 0);
                        out.writeNumberField("step", place.step());
                        out.writeNumberField("sample", impure.sample());
                        out.writeEndObject();
                    });
            return;
        }
        console.out()
                .printf(
                        "stream '%s': the transform '%s' is not a pure function of its rows: sample %d"
                                + " (epoch 0, step %d) had another result when it ran again%n",
                        planned.spec().name(), impure.transform(), impure.sample(), place.step());
    }
}
