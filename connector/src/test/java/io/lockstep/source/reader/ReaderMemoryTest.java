package io.lockstep.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.junit.jupiter.api.Test;

/** The shares of memory that readers get. */
class ReaderMemoryTest {

    private static final long STEPS = 100;
    private static final long LARGEST = 20;
    private static final int THREADS = 3;
    private static final long HAND_OFF = 8;

    @Test
    void theConfiguredSizeIsSharedBySlots() {
        Configuration taskManager = new Configuration();
        taskManager.set(TaskManagerOptions.TASK_OFF_HEAP_MEMORY, MemorySize.parse("800m"));
        taskManager.set(TaskManagerOptions.NUM_TASK_SLOTS, 4);
        ReaderMemory memory = ReaderMemory.of(taskManager, 2);
        assertThat(memory.configured()).isEqualTo(200L << 20);
        assertThat(memory.readers()).isEqualTo(2);
        assertThat(memory.isUnaccounted()).isFalse();
    }

    @Test
    void aShareIsForStepsAndDecoding() {
        assertThat(new ReaderMemory(150, 1, 1_000).forDecoding(STEPS, LARGEST, THREADS, HAND_OFF))
                .isEqualTo(50);
    }

    /** The configured size may be more than the container has. */
    @Test
    void aShareIsUsedAsFarAsTheProcessHasMemory() {
        ReaderMemory memory = new ReaderMemory(1_000, 2, 300);
        assertThat(memory.forDecoding(STEPS, LARGEST, THREADS, HAND_OFF)).isEqualTo(42);
    }

    @Test
    void aShareThatIsTooSmallIsRejectedWithTheNumbers() {
        assertThatThrownBy(
                        () ->
                                new ReaderMemory(119, 1, 0)
                                        .forDecoding(STEPS, LARGEST, THREADS, HAND_OFF))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("needs 120 bytes outside of the heap")
                .hasMessageContaining("its share of taskmanager.memory.task.off-heap.size is 119");
    }

    @Test
    void flinksDefaultLetsOneRowGroupBeDecodedAtATime() {
        ReaderMemory memory = new ReaderMemory(0, 4, 1_000);
        assertThat(memory.isUnaccounted()).isTrue();
        assertThat(memory.forDecoding(STEPS, LARGEST, THREADS, HAND_OFF)).isEqualTo(LARGEST);
        assertThat(memory.advice(STEPS, LARGEST, THREADS)).contains("set it to 160 per slot");
    }

    @Test
    void aLocalClusterDecodesOnAllThreadsAsFarAsTheProcessHasMemory() {
        long unlimited = ReaderMemory.UNLIMITED;
        assertThat(
                        new ReaderMemory(unlimited, 1, 1_000)
                                .forDecoding(STEPS, LARGEST, THREADS, HAND_OFF))
                .isEqualTo(60);
        assertThat(
                        new ReaderMemory(unlimited, 1, 153)
                                .forDecoding(STEPS, LARGEST, THREADS, HAND_OFF))
                .isEqualTo(45);
    }

    @Test
    void readersThatDoNotFitIntoTheirContainerAreRejectedWithTheNumbers() {
        for (long configured : new long[] {0, 200, ReaderMemory.UNLIMITED}) {
            assertThatThrownBy(
                            () ->
                                    new ReaderMemory(configured, 4, 511)
                                            .forDecoding(STEPS, LARGEST, THREADS, HAND_OFF))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("each of 4 readers in one process needs 128 bytes")
                    .hasMessageContaining("leave 511 of the memory");
        }
    }
}
