package io.lockstep.cli;

import io.lockstep.batch.Allocators;
import io.lockstep.cli.console.Console;
import io.lockstep.cli.console.GivenPaths;
import io.lockstep.cli.console.UsageException;
import io.lockstep.cli.data.PlannedStream;
import io.lockstep.cli.option.ColumnOptions;
import io.lockstep.cli.option.OutputOptions;
import io.lockstep.cli.rows.RowWriter;
import io.lockstep.dataset.Dataset;
import io.lockstep.manifest.Manifest;
import io.lockstep.materialize.Content;
import io.lockstep.transform.TransformChain;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lockstep cat}: prints the rows of a dataset. */
@Command(
        name = "cat",
        mixinStandardHelpOptions = true,
        description =
                "Print the rows of a dataset in canonical order: files sorted by path, rows in file order.")
final class CatCommand implements Callable<Integer> {

    private final Console console;

    @Parameters(
            arity = "1..*",
            paramLabel = "DATASET",
            description = "Directories, globs or Parquet files.")
    private List<String> data;

    @Mixin private ColumnOptions columns;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The maximum number of rows. Default: all.")
    private long limit = Long.MAX_VALUE;

    @Mixin private OutputOptions output;

    CatCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        UsageException.checkAtLeast(0, "--limit", limit);
        List<String> paths = data.stream().map(GivenPaths::absolute).toList();
        Manifest manifest = PlannedStream.plan(paths, console);
        Content content =
                new Content(
                        Dataset.only(manifest),
                        columns.columns(),
                        columns.rules(),
                        TransformChain.empty());
        output.write(content.schema(), console, writer -> copy(manifest, content, writer));
        return 0;
    }

    private void copy(Manifest manifest, Content content, RowWriter writer) throws IOException {
        long left = limit;
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE)) {
            for (int group = 0; group < manifest.rowGroups().size() && left > 0; group++) {
                if (manifest.rowGroups().get(group).rows() == 0) {
                    continue;
                }
                try (VectorSchemaRoot rows = content.read(group, allocator)) {
                    left -= write(rows, left, writer);
                }
            }
        }
    }

    private static int write(VectorSchemaRoot rows, long most, RowWriter writer)
            throws IOException {
        if (rows.getRowCount() <= most) {
            writer.write(rows);
            return rows.getRowCount();
        }
        try (VectorSchemaRoot part = rows.slice(0, (int) most)) {
            writer.write(part);
            return part.getRowCount();
        }
    }
}
