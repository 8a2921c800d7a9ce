package io.lockstep.cli.directories;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.FileSystemOf;
import io.lockstep.Printable;
import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.FileSystems;
import io.lockstep.cli.console.GivenPaths;
import io.lockstep.cli.console.JsonText;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.data.PastRun;
import io.lockstep.cli.runfile.Quantities;
import java.io.IOException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep runs ls}: lists runs. */
@Command(
        name = "ls",
        mixinStandardHelpOptions = true,
        description = {
            "List the run directories below a directory.",
            "Prints for each stream its epochs and the last step recorded as consumed, and for each run the "
                    + "number of launches, the size of its files and the time of the last write."
        })
final class ListRunsCommand implements Callable<Integer> {

    private static final String ROW = "%-16s  %10s  %11s  %-12s  %6s  %-20s  %s%n";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneId.systemDefault());

    private final Console console;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "The directory to search. Default: ./runs.")
    private String directory;

    @Option(names = "--json", description = "Print one JSON object per line and run.")
    private boolean json;

    ListRunsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        FileSystems.load();
        String root = GivenPaths.absolute(directory == null ? "runs" : directory);
        if (directory != null && !isDirectory(root)) {
            throw new UsageException(
                    "there is no directory " + root + ": name a directory with runs below it");
        }
        List<RunSummary> runs = new ArrayList<>();
        for (String found : RunFinder.find(root)) {
            try {
                runs.add(RunSummary.of(PastRun.open(found)));
            } catch (UserException e) {
                console.print(found + " cannot be read: " + e.getMessage());
            }
        }
        if (runs.isEmpty()) {
            console.print("no runs below " + root);
        } else if (json) {
            for (RunSummary run : runs) {
                JsonText.line(console.out(), out -> write(run, out));
            }
        } else {
            print(runs);
        }
        return 0;
    }

    private static boolean isDirectory(String root) throws IOException {
        Path path = new Path(root);
        FileSystem files = FileSystemOf.path(path);
        return files.exists(path) && files.getFileStatus(path).isDir();
    }

    private void print(List<RunSummary> runs) {
        console.out()
                .printf(
                        ROW,
                        "CHANGED",
                        "SIZE",
                        "GENERATIONS",
                        "STREAM",
                        "EPOCHS",
                        "LAST STEP",
                        "RUN");
        for (RunSummary run : runs) {
            for (RunSummary.Stream stream : run.streams()) {
                console.out()
                        .printf(
                                ROW,
                                TIME.format(run.changed()),
                                Quantities.about(run.size().bytes()),
                                run.generations(),
                                stream.name(),
                                stream.epochs(),
                                stream.last() == null
                                        ? "-"
                                        : "epoch "
                                                + stream.last().epoch()
                                                + ", step "
                                                + stream.last().step(),
                                Printable.of(run.root()));
            }
        }
    }

    private static void write(RunSummary run, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("run", run.root());
        out.writeStringField("changed", run.changed().toString());
        out.writeNumberField("bytes", run.size().bytes());
        out.writeNumberField("generations", run.generations());
        out.writeArrayFieldStart("streams");
        for (RunSummary.Stream stream : run.streams()) {
            out.writeStartObject();
            out.writeStringField("name", stream.name());
            out.writeNumberField("epochs", stream.epochs());
            out.writeFieldName("lastStep");
            if (stream.last() == null) {
                out.writeNull();
            } else {
                out.writeStartObject();
                out.writeNumberField("epoch", stream.last().epoch());
                out.writeNumberField("step", stream.last().step());
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }
}
