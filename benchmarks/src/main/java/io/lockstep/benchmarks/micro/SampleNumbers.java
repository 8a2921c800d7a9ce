package io.lockstep.benchmarks.micro;

import io.lockstep.order.SampleStreams;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Draws 52 numbers for each sample of a batch; time per number. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SampleNumbers {

    private static final int SAMPLES = 4096;
    private static final int COUNT = 52;
    private static final int NUMBERS = SAMPLES * COUNT;

    private final long[] samples = LongStream.range(0, SAMPLES).map(i -> i * 7919).toArray();
    private final long[] integers = new long[NUMBERS];
    private final double[] doubles = new double[NUMBERS];
    private long epoch;

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public long[] words() {
        streams().words(COUNT, integers);
        return integers;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public double[] uniform() {
        streams().uniform(COUNT, doubles);
        return doubles;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public long[] integers() {
        streams().integers(1000, COUNT, integers);
        return integers;
    }

    @Benchmark
    @OperationsPerInvocation(NUMBERS)
    public double[] normal() {
        streams().normal(COUNT, doubles);
        return doubles;
    }

    private SampleStreams streams() {
        return new SampleStreams(7, "train/jitter", epoch++, samples);
    }
}
