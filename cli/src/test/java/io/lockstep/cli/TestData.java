package io.lockstep.cli;

import io.lockstep.testing.TestPython;
import java.nio.file.Files;
import java.nio.file.Path;

/** Small datasets. */
final class TestData {

    /** Rows of each row group of {@link #numbers}, in canonical order. */
    static final long[] ROWS = {30, 30, 10, 25, 0, 5, 40};

    private static final String NUMBERS =
            """
            import sys, pyarrow as pa, pyarrow.parquet as pq
            root, at = sys.argv[1], 0
            schema = pa.schema([("id", pa.int64()), ("x", pa.float32()), ("name", pa.string())])
            for file, groups in {"a/one": [30, 30, 10], "b": [25, 0, 5], "c": [40]}.items():
                with pq.ParquetWriter(f"{root}/{file}.parquet", schema) as out:
                    for n in groups:
                        ids = list(range(at, at + n))
                        out.write_table(pa.table([ids, [i / 3 for i in ids], [f"n{i}" for i in ids]], schema=schema))
                        at += n
            """;

    private TestData() {}

    /** 140 rows with their number, a third of it, and a name. */
    static Path numbers(Path directory) throws Exception {
        Files.createDirectories(directory.resolve("a"));
        TestPython.run(NUMBERS, directory.toString());
        return directory;
    }

    /**
     * Writes a file with these columns.
     *
     * @param columns what {@code pyarrow.table} accepts
     */
    static void write(Path file, String columns) throws Exception {
        Files.createDirectories(file.getParent());
        TestPython.run(
                "import datetime, sys, pyarrow as pa, pyarrow.parquet as pq\n"
                        + "pq.write_table(pa.table("
                        + columns
                        + "), sys.argv[1])",
                file.toString());
    }
}
