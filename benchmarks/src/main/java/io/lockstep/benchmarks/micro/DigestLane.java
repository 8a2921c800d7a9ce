package io.lockstep.benchmarks.micro;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.StepDigests;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Hashes a lane's step of 256 rows and 52 columns, in the processor's cache; time per row. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DigestLane {

    private static final int ROWS = 256;

    private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
    private StepBatch batch;

    @Setup
    public void prepare() {
        Gather gather = new Gather(Wire.schema(Table.SCHEMA));
        try (VectorSchemaRoot rows = Table.rowGroup(allocator)) {
            batch =
                    gather.gather(
                            List.of(gather.source(rows)),
                            new int[ROWS],
                            IntStream.range(0, ROWS).map(row -> 7 * row).toArray(),
                            new long[ROWS],
                            new byte[ROWS],
                            allocator);
        }
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public Digest128 digest() {
        return StepDigests.lane(batch);
    }

    @TearDown
    public void release() {
        batch.close();
        allocator.close();
    }
}
