package io.lockstep.benchmarks.micro;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.RowSource;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Gathers random rows from a million rows of 52 columns, stored as columns and as packed rows; time
 * per row.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class GatherRows {

    private static final int ROW_GROUPS = 20;
    private static final int BATCH = 4096;

    @Param({"columns", "rows"})
    private String stored;

    private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
    private final List<VectorSchemaRoot> rowGroups = new ArrayList<>();
    private final List<RowSource> sources = new ArrayList<>();
    private final Random random = new Random(1);
    private final int[] source = new int[BATCH];
    private final int[] row = new int[BATCH];
    private final long[] samples = new long[BATCH];
    private final byte[] weights = new byte[BATCH];
    private Gather gather;

    @Setup
    public void prepare() {
        gather = new Gather(Wire.schema(Table.SCHEMA));
        for (int i = 0; i < ROW_GROUPS; i++) {
            VectorSchemaRoot columns = Table.rowGroup(allocator);
            VectorSchemaRoot kept =
                    stored.equals("rows") ? gather.pack(columns, allocator) : columns;
            rowGroups.add(kept);
            sources.add(gather.source(kept));
        }
        Arrays.fill(weights, (byte) 1);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int gather() {
        for (int i = 0; i < BATCH; i++) {
            source[i] = random.nextInt(ROW_GROUPS);
            row[i] = random.nextInt(Table.ROWS);
        }
        try (StepBatch batch = gather.gather(sources, source, row, samples, weights, allocator)) {
            return batch.rows();
        }
    }

    @TearDown
    public void release() {
        rowGroups.forEach(VectorSchemaRoot::close);
        allocator.close();
    }
}
