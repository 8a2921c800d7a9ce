package io.lockstep.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.Plural;
import io.lockstep.Printable;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FooterProgress;
import io.lockstep.cli.console.FooterProgress.Skipped;
import io.lockstep.cli.console.GivenPaths;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.data.Plan;
import io.lockstep.cli.data.PlannedColumn;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.data.PlannedTransform;
import io.lockstep.cli.data.TargetOptions;
import io.lockstep.cli.runfile.Quantities;
import io.lockstep.cli.runfile.RunFile;
import io.lockstep.cli.stats.ColumnSummaries;
import io.lockstep.cli.stats.StatsReport;
import io.lockstep.manifest.TypeNames;
import io.lockstep.source.StreamSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.arrow.vector.types.pojo.Field;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep plan}: shows what an order makes of a dataset. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description =
                "Preview a run over a dataset: its size and schema, steps, valid world sizes,"
                        + " resource needs, and the fingerprint of the order.")
final class PlanCommand implements Callable<Integer> {

    private final Console console;

    @Mixin private TargetOptions target;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--stats",
            description =
                    "Also read all rows: nulls, range, number of values and their counts of each"
                            + " column, and what the transforms were fitted to.")
    private boolean stats;

    @Option(
            names = "--seal",
            description = {
                "Also seal all streams in the run directory: 'run' and 'serve' with the same "
                        + "settings then start from the sealed manifests and list no files."
            })
    private boolean seal;

    @Option(
            names = "--run",
            paramLabel = "DIR",
            description = "The run directory of --seal. Default: run.directory of the run file.")
    private String directory;

    PlanCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        PlannedStream planned = planned();
        Plan plan = Plan.of(planned, console);
        StatsReport report = stats && plan.refusal() == null ? report(planned, plan) : null;
        if (json) {
            JsonText.line(console.out(), out -> write(plan, report, out));
        } else {
            print(plan, console.out());
            if (report != null) {
                report.print(console.out());
            }
        }
        if (plan.refusal() != null) {
            throw plan.refusal();
        }
        return 0;
    }

    private StatsReport report(PlannedStream planned, Plan plan) throws IOException {
        return new StatsReport(
                planned.spec().name(),
                ColumnSummaries.of(planned.before().content(), new FooterProgress(console)),
                plan.statistics());
    }

    private PlannedStream planned() throws IOException {
        if (seal) {
            if (target.past().isPresent()) {
                throw new UsageException("the target is a run directory, which is sealed already");
            }
            RunFile run = target.file();
            if (directory != null) {
                run = run.in(GivenPaths.absolute(directory));
            }
            StreamSpec spec = run.stream(target.stream());
            return PlannedStream.seal(run, spec, console);
        }
        if (directory != null) {
            throw new UsageException("--run names where to seal, and belongs to --seal");
        }
        return target.open(console);
    }

    private static void write(Plan plan, @Nullable StatsReport report, JsonGenerator out)
            throws IOException {
        out.writeStartObject();
        out.writeNumberField("files", plan.files());
        out.writeNumberField("rows", plan.rows());
        out.writeNumberField("keptRows", plan.keptRows());
        out.writeNumberField("rowGroups", plan.rowGroups());
        out.writeNumberField("bytes", plan.bytes());
        out.writeArrayFieldStart("schema");
        for (PlannedColumn column : plan.columns()) {
            out.writeStartObject();
            out.writeStringField("name", column.name());
            out.writeStringField("type", column.type());
            out.writeBooleanField("selected", column.selected());
            out.writeBooleanField("readable", column.readable());
            if (!column.readable()) {
                out.writeStringField("reason", column.reason());
            }
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeArrayFieldStart("chain");
        for (PlannedTransform transform : plan.chain()) {
            out.writeStartObject();
            out.writeStringField("name", transform.name());
            out.writeStringField("kind", transform.kind());
            out.writeStringField("where", transform.ofBatches() ? "batch" : "row group");
            out.writeArrayFieldStart("schema");
            for (Field field : transform.schema()) {
                out.writeStartObject();
                out.writeStringField("name", field.getName());
                out.writeStringField("type", TypeNames.of(field));
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeNumberField("lanes", plan.settings().lanes());
        out.writeNumberField("batch", plan.settings().batch());
        out.writeNumberField("window", plan.settings().window());
        out.writeStringField("shuffle", plan.settings().shuffle().toString());
        out.writeStringField("tail", plan.settings().tail().toString());
        out.writeStringField("seed", Long.toUnsignedString(plan.settings().seed()));
        out.writeNumberField("steps", plan.steps());
        out.writeArrayFieldStart("worldSizes");
        for (int size : plan.settings().worldSizes()) {
            out.writeNumber(size);
        }
        out.writeEndArray();
        out.writeNumberField("mixedRowGroups", plan.mixedRowGroups());
        out.writeStringField("manifest", plan.manifest());
        out.writeStringField("fingerprint", plan.fingerprint());
        out.writeArrayFieldStart("notes");
        for (String note : plan.notes()) {
            out.writeString(note);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("skipped");
        for (Skipped file : plan.skipped()) {
            out.writeStartObject();
            out.writeStringField("path", file.path());
            out.writeStringField("reason", file.reason());
            out.writeEndObject();
        }
        out.writeEndArray();
        if (report != null) {
            report.write(out);
        }
        out.writeEndObject();
    }

    private static void print(Plan plan, PrintStream out) {
        row(out, "files", count(plan.files()));
        row(out, "row groups", count(plan.rowGroups()));
        row(out, "rows", rows(plan));
        row(out, "bytes", count(plan.bytes()) + " (" + Quantities.about(plan.bytes()) + ")");
        row(
                out,
                "order",
                String.format(
                        "batch %d, %s, window %d, seed %s, shuffle %s, tail %s",
                        plan.settings().batch(),
                        Plural.of(plan.settings().lanes(), "lane"),
                        plan.settings().window(),
                        Long.toUnsignedString(plan.settings().seed()),
                        plan.settings().shuffle(),
                        plan.settings().tail()));
        row(out, "steps", count(plan.steps()) + " an epoch");
        row(
                out,
                "world sizes",
                plan.settings().worldSizes().stream()
                        .map(String::valueOf)
                        .collect(Collectors.joining(", ")));
        row(out, "mixing", "a batch mixes " + Plural.of(plan.mixedRowGroups(), "row group"));
        row(
                out,
                "cache",
                Quantities.about(plan.windowBytes())
                        + " for the windows in use, "
                        + Quantities.about(plan.decodedBytes())
                        + " for the whole dataset, over all hosts together");
        row(
                out,
                "memory",
                Quantities.about(plan.stepBytes()) + " for one step, over all hosts together");
        row(out, "manifest", plan.manifest());
        row(out, "fingerprint", plan.fingerprint());
        plan.notes().forEach(note -> row(out, "note", note));
        out.println("schema");
        int width = width(plan, column -> Printable.of(column.name()));
        int typeWidth = width(plan, PlannedColumn::type);
        for (PlannedColumn column : plan.columns()) {
            String mark = column.selected() ? "" : "not selected";
            if (!column.readable()) {
                mark = "not readable: " + column.reason();
            }
            String line =
                    String.format(
                            "  %-" + width + "s  %-" + typeWidth + "s  %s",
                            Printable.of(column.name()),
                            column.type(),
                            Printable.of(mark));
            out.println(line.stripTrailing());
        }
        if (!plan.chain().isEmpty()) {
            out.println("transforms");
            plan.chain().forEach(transform -> print(transform, out));
        }
    }

    private static String rows(Plan plan) {
        return plan.keptRows() == plan.rows()
                ? count(plan.rows())
                : count(plan.keptRows()) + " kept of " + count(plan.rows());
    }

    private static void print(PlannedTransform transform, PrintStream out) {
        String name = transform.name();
        String kind = name.equals(transform.kind()) ? "" : " (" + transform.kind() + ")";
        String where = transform.ofBatches() ? ", for each batch" : "";
        out.println("  " + name + kind + where + ": " + transform.change());
    }

    private static int width(Plan plan, Function<PlannedColumn, String> text) {
        return plan.columns().stream()
                .mapToInt(column -> text.apply(column).length())
                .max()
                .orElse(1);
    }

    private static void row(PrintStream out, String name, String value) {
        out.printf("%-12s %s%n", name, value);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
