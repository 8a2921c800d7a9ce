package io.lockstep.cli.past;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.Plural;
import io.lockstep.UserException;
import io.lockstep.audit.Gap;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.option.TrustOption;
import io.lockstep.run.DamageEntry;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep verify}: checks whether two runs served the same. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Compare the batches of two runs and report the first difference and its cause.",
            "Batches are equal if they hold the same samples in the same order with the same content. Reports "
                    + "settings and files that differ, then the first step, lane, sample and column. Names "
                    + "the steps that a run served from a damaged cache file, and those of which it lost records. "
                    + "Exits with 0 if everything that both runs recorded is equal and no such step is known, else "
                    + "with 1."
        })
public final class VerifyCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(
            index = "0",
            paramLabel = "RUN_A",
            description = "The run directory of the first run.")
    private String first;

    @Parameters(
            index = "1",
            paramLabel = "RUN_B",
            description = "The run directory of the second run.")
    private String second;

    @Option(
            names = "--allow-gaps",
            description =
                    "Exit with 0 although records were lost, for example while the disk was full.")
    private boolean allowGaps;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Mixin private TrustOption trust;

    public VerifyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        RunComparison runs =
                RunComparison.of(
                        PastRun.open(first, trust.isGiven()),
                        PastRun.open(second, trust.isGiven()));
        if (json) {
            JsonText.line(console.out(), out -> write(runs, out));
        } else {
            print(runs);
        }
        if (runs.difference() == null && !runs.comparable()) {
            throw new UserException(
                    "no step was recorded by both runs, so what they served cannot be compared: the"
                            + " record is made where run.digests is not off, from the first step on");
        }
        return runs.same() && (allowGaps || runs.complete()) ? 0 : 1;
    }

    private void print(RunComparison runs) {
        damaged("first", runs.damagedInFirst());
        damaged("second", runs.damagedInSecond());
        lost("first", runs.gapsInFirst());
        lost("second", runs.gapsInSecond());
        for (Cause cause : runs.causes()) {
            console.printResult(cause.sentence());
        }
        if (runs.difference() != null) {
            console.printResult(runs.difference().sentence());
            console.printResult("why: " + runs.difference().why());
            return;
        }
        if (runs.comparable()) {
            console.out()
                    .printf(
                            Locale.ROOT,
                            "same order and same content: the digests of all %s of steps that both"
                                    + " runs recorded agree%n",
                            Plural.of(runs.digests().lanesCompared(), "lane"));
            gaps("first", runs.digests().onlyInFirst());
            gaps("second", runs.digests().onlyInSecond());
        }
    }

    private void damaged(String which, List<DamageEntry> steps) {
        for (DamageEntry damaged : steps) {
            console.out()
                    .printf(
                            "the %s run may have served wrong rows of lane %d in %s epoch %d, steps %d"
                                    + " to %d: the cache file %s%n",
                            which,
                            damaged.lane(),
                            damaged.stream(),
                            damaged.epoch(),
                            damaged.from(),
                            damaged.to(),
                            damaged.cause());
        }
    }

    private void lost(String which, List<Gap> gaps) {
        for (Gap gap : gaps) {
            console.out()
                    .printf(
                            "the %s run lost records of %s epoch %d, steps %d to %d%n",
                            which, gap.stream(), gap.epoch(), gap.from(), gap.to());
        }
    }

    private void gaps(String which, List<Gap> gaps) {
        for (Gap gap : gaps) {
            console.out()
                    .printf(
                            "only the %s run recorded %s epoch %d, steps %d to %d%n",
                            which, gap.stream(), gap.epoch(), gap.from(), gap.to());
        }
    }

    private static void write(RunComparison runs, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeBooleanField("same", runs.same());
        out.writeNumberField("lanesCompared", runs.digests().lanesCompared());
        out.writeArrayFieldStart("causes");
        for (Cause cause : runs.causes()) {
            out.writeStartObject();
            out.writeStringField("what", cause.what());
            out.writeStringField("first", cause.first());
            out.writeStringField("second", cause.second());
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeFieldName("difference");
        if (runs.difference() == null) {
            out.writeNull();
        } else {
            write(runs.difference(), out);
        }
        write("onlyInFirst", runs.digests().onlyInFirst(), out);
        write("onlyInSecond", runs.digests().onlyInSecond(), out);
        writeDamage("damagedInFirst", runs.damagedInFirst(), out);
        writeDamage("damagedInSecond", runs.damagedInSecond(), out);
        out.writeArrayFieldStart("gaps");
        writeLost("first", runs.gapsInFirst(), out);
        writeLost("second", runs.gapsInSecond(), out);
        out.writeEndArray();
        out.writeEndObject();
    }

    private static void write(Difference difference, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("stream", difference.stream());
        out.writeNumberField("epoch", difference.epoch());
        out.writeNumberField("step", difference.step());
        out.writeNumberField("lane", difference.lane());
        out.writeObjectField("place", difference.place() < 0 ? null : difference.place());
        out.writeObjectField("sample", difference.sample());
        out.writeStringField("column", difference.column());
        out.writeStringField("first", difference.first());
        out.writeStringField("second", difference.second());
        out.writeStringField("why", difference.why());
        out.writeEndObject();
    }

    private static void write(String name, List<Gap> gaps, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(name);
        for (Gap gap : gaps) {
            out.writeStartObject();
            out.writeStringField("stream", gap.stream());
            out.writeNumberField("epoch", gap.epoch());
            out.writeNumberField("firstStep", gap.from());
            out.writeNumberField("lastStep", gap.to());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeLost(String which, List<Gap> gaps, JsonGenerator out)
            throws IOException {
        for (Gap gap : gaps) {
            out.writeStartObject();
            out.writeStringField("run", which);
            out.writeStringField("stream", gap.stream());
            out.writeNumberField("epoch", gap.epoch());
            out.writeNumberField("from", gap.from());
            out.writeNumberField("to", gap.to());
            out.writeEndObject();
        }
    }

    private static void writeDamage(String name, List<DamageEntry> damage, JsonGenerator out)
            throws IOException {
        out.writeArrayFieldStart(name);
        for (DamageEntry damaged : damage) {
            out.writeStartObject();
            out.writeStringField("stream", damaged.stream());
            out.writeNumberField("epoch", damaged.epoch());
            out.writeNumberField("from", damaged.from());
            out.writeNumberField("to", damaged.to());
            out.writeNumberField("lane", damaged.lane());
            out.writeStringField("cause", damaged.cause());
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
