package io.lockstep.benchmarks.functions;

import io.lockstep.batch.Allocators;
import io.lockstep.python.PythonCode;
import io.lockstep.python.PythonSettings;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformSpec;
import io.lockstep.transform.python.WorkerPools;
import io.lockstep.transform.registry.TransformRegistry;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Calls a Python function with 50 float32 columns of some rows, again and again, in one worker.
 *
 * <p>Arguments: the interpreter, the module's file, the rows of a call, and the seconds to measure.
 * Prints a JSON object with the processor nanoseconds of a call, by process.
 */
public final class CallFunction {

    private static final int COLUMNS = 50;
    private static final int WARM_UP = 500;
    private static final double NANOS = 1e9;

    private CallFunction() {}

    public static void main(String[] arguments) {
        measure(arguments, System.out);
    }

    private static void measure(String[] arguments, PrintStream out) {
        PythonSettings standard = PythonSettings.defaults();
        PythonSettings settings =
                new PythonSettings(
                        arguments[0],
                        1,
                        standard.timeout(),
                        standard.memory(),
                        PythonCode.read(List.of(Path.of(arguments[1]).toAbsolutePath())));
        TransformSpec spec =
                new TransformSpec(
                        "python",
                        "python",
                        "{\"function\": \"ratios:add_ratios\", \"columns\": [\"f00\", \"f01\"],"
                                + " \"adds\": {\"ratio\": \"float32\"}}",
                        settings);
        TransformChain chain = TransformRegistry.chain("train", List.of(spec));
        int rows = Integer.parseInt(arguments[2]);
        double limit = Double.parseDouble(arguments[3]) * NANOS;
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                WorkerPools.Hold hold = WorkerPools.hold();
                VectorSchemaRoot table = table(rows, allocator)) {
            for (int i = 0; i < WARM_UP; i++) {
                call(chain, table, allocator);
            }
            long started = System.nanoTime();
            long caller = callerNanos();
            long worker = workerNanos();
            long calls = 0;
            while (System.nanoTime() - started < limit) {
                call(chain, table, allocator);
                calls++;
            }
            out.printf(
                    "{\"caller\": %d, \"worker\": %d}%n",
                    (callerNanos() - caller) / calls, (workerNanos() - worker) / calls);
        }
    }

    private static long callerNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long workerNanos() {
        return ProcessHandle.current()
                .children()
                .flatMap(child -> child.info().totalCpuDuration().stream())
                .mapToLong(Duration::toNanos)
                .sum();
    }

    private static void call(
            TransformChain chain, VectorSchemaRoot table, BufferAllocator allocator) {
        VectorSchemaRoot rows = table.slice(0, table.getRowCount());
        chain.apply(rows, allocator).close();
    }

    private static VectorSchemaRoot table(int rows, BufferAllocator allocator) {
        List<FieldVector> vectors = new ArrayList<>();
        for (int column = 0; column < COLUMNS; column++) {
            Float4Vector vector = new Float4Vector(String.format("f%02d", column), allocator);
            vector.allocateNew(rows);
            for (int row = 0; row < rows; row++) {
                vector.set(row, row + column);
            }
            vector.setValueCount(rows);
            vectors.add(vector);
        }
        return new VectorSchemaRoot(vectors);
    }
}
