package io.lockstep.benchmarks.micro;

import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.order.Window;
import io.lockstep.order.WindowOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Permutes a window of a million rows, and reads the permutation as a gather does; time per row.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class WindowPermutation {

    private static final int ROW_GROUPS = 20;
    private static final int ROW_GROUP_ROWS = 50_000;
    private static final int ROWS = ROW_GROUPS * ROW_GROUP_ROWS;

    private final int[] slices = new int[ROWS];
    private final int[] rows = new int[ROWS];
    private Window window;
    private WindowOrder permuted;

    @Setup
    public void prepare() {
        long[] rowGroups = new long[ROW_GROUPS];
        Arrays.fill(rowGroups, ROW_GROUP_ROWS);
        OrderSettings settings = new OrderSettings(7, 1, 4096, ROW_GROUPS, Shuffle.LANE, Tail.DROP);
        window = new Order(settings, rowGroups).laneEpoch(0, 0).windows().get(0);
        permuted = window.permute();
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public WindowOrder permute() {
        return window.permute();
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int[] read() {
        permuted.read(0, ROWS, slices, rows, 0);
        return rows;
    }
}
