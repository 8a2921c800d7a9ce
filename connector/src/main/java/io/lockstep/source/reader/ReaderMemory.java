package io.lockstep.source.reader;

import com.sun.management.OperatingSystemMXBean;
import io.lockstep.UserException;
import java.lang.management.ManagementFactory;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;

/**
 * The off-heap memory that a reader may use.
 *
 * @param configured the reader's share of {@code taskmanager.memory.task.off-heap.size}; 0 if that
 *     is 0, {@link #UNLIMITED} in a local cluster
 * @param readers the number of readers of the job that the task manager may run
 * @param free bytes of the process's memory limit that neither the JVM nor Flink uses
 */
record ReaderMemory(long configured, int readers, long free) {

    static final long UNLIMITED = Long.MAX_VALUE;

    private static final String OPTION = TaskManagerOptions.TASK_OFF_HEAP_MEMORY.key();

    /**
     * The memory of each reader of a job in this process.
     *
     * @param taskManager its effective configuration
     */
    static ReaderMemory of(Configuration taskManager, int parallelism) {
        int slots = Math.max(1, taskManager.get(TaskManagerOptions.NUM_TASK_SLOTS));
        long offHeap = taskManager.get(TaskManagerOptions.TASK_OFF_HEAP_MEMORY).getBytes();
        return new ReaderMemory(
                offHeap == MemorySize.MAX_VALUE.getBytes() ? UNLIMITED : offHeap / slots,
                Math.min(slots, parallelism),
                free(taskManager));
    }

    /** The JVM reports the memory limit of its container. */
    private static long free(Configuration taskManager) {
        long total =
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getTotalMemorySize();
        return total
                - Runtime.getRuntime().maxMemory()
                - bytes(taskManager, TaskManagerOptions.NETWORK_MEMORY_MAX, total)
                - bytes(taskManager, TaskManagerOptions.FRAMEWORK_OFF_HEAP_MEMORY, total)
                - bytes(taskManager, TaskManagerOptions.JVM_METASPACE, total)
                - bytes(taskManager, TaskManagerOptions.JVM_OVERHEAD_MIN, total);
    }

    private static long bytes(
            Configuration taskManager, ConfigOption<MemorySize> option, long total) {
        long bytes = taskManager.get(option).getBytes();
        return bytes < total ? bytes : 0;
    }

    /** Whether Flink's configuration does not account for this memory. */
    boolean isUnaccounted() {
        return configured == 0;
    }

    /**
     * The memory limit for concurrent decoding.
     *
     * @param steps the memory for steps
     * @param largest the memory to decode the largest row group
     * @param threads the number of row groups that may be decoded concurrently
     * @param handOff the memory for batches on their way to trainers; the kernel counts shared
     *     memory as the process's
     * @throws UserException if even the largest row group does not fit beside the steps
     */
    long forDecoding(long steps, long largest, int threads, long handOff) {
        long least = steps + largest;
        boolean limited = configured != 0 && configured != UNLIMITED;
        if (limited && configured < least) {
            throw tooLittle(steps, largest);
        }
        long most = free / readers - handOff;
        if (most < least) {
            throw tooSmallProcess(steps, largest, handOff);
        }
        if (limited) {
            return Math.min(configured, most) - steps;
        }
        return isUnaccounted() ? largest : Math.min(largest * threads, most - steps);
    }

    private UserException tooLittle(long steps, long largest) {
        return new UserException(
                String.format(
                        "a reader needs %,d bytes outside of the heap (%,d of step-memory, and %,d to"
                                + " decode the largest row group), and its share of %s is %,d: raise that,"
                                + " lower reader.step-memory, or write smaller row groups",
                        steps + largest, steps, largest, OPTION, configured));
    }

    private UserException tooSmallProcess(long steps, long largest, long handOff) {
        return new UserException(
                String.format(
                        "each of %d readers in one process needs %,d bytes outside of the heap (%,d of"
                                + " step-memory, %,d to decode the largest row group, and %,d for batches"
                                + " in shared memory), and the JVM and Flink leave %,d of the memory that the process may have: give it more,"
                                + " lower the heap or reader.step-memory, use fewer slots, or write smaller"
                                + " row groups",
                        readers,
                        steps + largest + handOff,
                        steps,
                        largest,
                        handOff,
                        Math.max(0, free)));
    }

    /** The option to set, for a warning. */
    String advice(long steps, long largest, int threads) {
        return String.format(
                "%s is 0, so Flink does not count the %,d bytes that each reader uses outside of the"
                        + " heap, and row groups are decoded one at a time; set it to %,d per slot",
                OPTION, steps + largest, steps + largest * threads);
    }
}
