package io.lockstep.benchmarks.micro;

import io.lockstep.batch.Allocators;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.Progress;
import io.lockstep.parquet.RowGroupReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Decodes one row group of the comparison's table, with all columns, on one thread. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DecodeRowGroup {

    /** The directory of the table; required. */
    @Param("")
    private String table;

    private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
    private RowGroupReader reader;

    @Setup
    public void prepare() throws IOException {
        Manifest manifest = ManifestPlanner.plan(List.of(table), Progress.NONE);
        reader = new RowGroupReader(manifest, List.of());
    }

    @Benchmark
    public int decode() throws IOException {
        try (VectorSchemaRoot root = reader.read(0, allocator)) {
            return root.getRowCount();
        }
    }

    @TearDown
    public void release() {
        allocator.close();
    }
}
