package io.lockstep.cli.option;

import io.lockstep.UserException;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.rows.Format;
import io.lockstep.cli.rows.RowWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.arrow.vector.types.pojo.Schema;
import picocli.CommandLine.Option;

/** Destination and format of rows. */
public final class OutputOptions {

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description =
                    "${COMPLETION-CANDIDATES}: a table, one JSON object per row, or an Arrow IPC stream."
                            + " Default: table on a terminal, else json; arrow if -o FILE ends in"
                            + " .arrow or .arrows.")
    private Format format;

    @Option(names = "--json", description = "Same as --format json.")
    private boolean json;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write to a file instead of standard output.")
    private Path file;

    /** Writes rows. */
    public interface Rows {
        void writeTo(RowWriter writer) throws IOException;
    }

    /** Writes rows of a schema to the chosen destination in the chosen format. */
    public void write(Schema schema, Console console, Rows rows) throws IOException {
        Format chosen = format(console);
        if (file == null) {
            write(schema, chosen, console.out(), rows);
            return;
        }
        try (OutputStream out = new BufferedOutputStream(open(file))) {
            write(schema, chosen, out, rows);
        }
    }

    private static OutputStream open(Path file) {
        try {
            return Files.newOutputStream(file);
        } catch (IOException e) {
            throw new UserException("the rows cannot be written to " + file + ": " + hint(file), e);
        }
    }

    private static String hint(Path file) {
        if (Files.isDirectory(file)) {
            return "it is a directory; name a file in it";
        }
        Path parent = file.toAbsolutePath().getParent();
        return Files.isDirectory(parent)
                ? "that file cannot be made or opened for writing; choose another, or change its"
                        + " permissions"
                : "there is no directory " + parent + "; make it, or choose another file";
    }

    private static void write(Schema schema, Format format, OutputStream out, Rows rows)
            throws IOException {
        try (RowWriter writer = RowWriter.open(format, schema, out)) {
            rows.writeTo(writer);
        }
    }

    private Format format(Console console) {
        if (json) {
            if (format != null && format != Format.JSON) {
                throw new UsageException(
                        "--json and --format " + format + " contradict each other");
            }
            return Format.JSON;
        }
        if (format != null) {
            return format;
        }
        if (file != null) {
            String name = file.toString();
            return name.endsWith(".arrow") || name.endsWith(".arrows") ? Format.ARROW : Format.JSON;
        }
        return console.terminal() ? Format.TABLE : Format.JSON;
    }
}
