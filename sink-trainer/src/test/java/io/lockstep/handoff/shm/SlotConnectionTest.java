package io.lockstep.handoff.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.util.MemoryUtil;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life cycle of slots and of their files. */
class SlotConnectionTest {

    private static final int SLOTS = 3;
    private static final long BYTES = 10_000;

    @TempDir Path directory;
    private SharedMemory memory;
    private SlotConnection connection;

    @BeforeEach
    void open() throws IOException {
        memory = SharedMemory.open(directory, "test", SLOTS);
        connection = memory.connect("c");
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        memory.close();
        assertThat(directory).isEmptyDirectory();
    }

    private Slot write(long position, long bytes) throws Exception {
        Slot slot = connection.take(position, bytes, 1).orElseThrow();
        slot.write(address -> MemoryUtil.putLong(address, position));
        return slot;
    }

    private static long read(Slot slot) throws IOException {
        try (FileChannel file = FileChannel.open(slot.path())) {
            ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
            file.read(buffer, slot.offset());
            return buffer.getLong(0);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".shm")).toList();
        }
    }

    @Test
    void whatIsWrittenIsInTheFile() throws Exception {
        Slot first = write(1, BYTES);
        Slot second = write(2, BYTES);
        assertThat(read(first)).isEqualTo(1);
        assertThat(read(second)).isEqualTo(2);
        assertThat(connection.written(2L)).containsSame(second);
        assertThat(connection.written(3L)).isEmpty();
    }

    @Test
    void theFileTakesItsMemoryAtOnce() throws Exception {
        Slot slot = write(1, BYTES);
        long blocks = ((Number) Files.getAttribute(slot.path(), "unix:size")).longValue();
        assertThat(blocks).isGreaterThanOrEqualTo(SLOTS * BYTES);
        assertThat(Files.getPosixFilePermissions(slot.path())).hasSize(2);
    }

    @Test
    void thereAreSoManySlotsAndNoMore() throws Exception {
        for (int i = 0; i < SLOTS; i++) {
            write(i, BYTES);
        }
        assertThat(connection.take(9, BYTES, 1)).isEmpty();
        connection.free(List.of(2L, 2L, 77L));
        assertThat(write(9, BYTES).number()).isEqualTo(SLOTS + 1);
        assertThat(connection.take(10, BYTES, 1)).isEmpty();
    }

    @Test
    void aNumberThatWasFreedFreesNothingElse() throws Exception {
        write(1, BYTES);
        connection.free(List.of(1L));
        for (int i = 0; i < SLOTS; i++) {
            write(i, BYTES);
        }
        connection.free(List.of(1L));
        assertThat(connection.take(9, BYTES, 1)).isEmpty();
    }

    @Test
    void aLargerFileReplacesTheFormerWhenThatIsFree() throws Exception {
        Slot small = write(1, BYTES);
        Slot large = write(2, 10 * BYTES);
        assertThat(large.path()).isNotEqualTo(small.path());
        assertThat(read(small)).isEqualTo(1);
        connection.free(List.of(small.number()));
        assertThat(files()).containsExactly(large.path());
        assertThat(write(3, BYTES).path()).isEqualTo(large.path());
    }

    @Test
    void aWriteThatFailsLeavesTheSlotFree() throws Exception {
        for (int i = 0; i <= SLOTS; i++) {
            Slot slot = connection.take(1L, BYTES, 1).orElseThrow();
            assertThatThrownBy(
                            () ->
                                    slot.write(
                                            address -> {
                                                throw new IllegalStateException("no");
                                            }))
                    .hasMessage("no");
        }
        assertThat(connection.written(1L)).isEmpty();
    }

    @Test
    void closingDuringAWriteKeepsTheMemoryUntilItsEnd() throws Exception {
        Slot slot = connection.take(1L, BYTES, 1).orElseThrow();
        slot.write(
                address -> {
                    try {
                        connection.close();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                    MemoryUtil.putLong(address, 1);
                });
        assertThat(files()).isEmpty();
        assertThat(connection.take(2L, BYTES, 1)).isEmpty();
    }

    @Test
    void tooLittleRoomNamesTheSizeToSet() throws Exception {
        FreeSpace small = path -> new FreeSpace.Room(64 << 20, 60 << 20);
        try (SharedMemory container = SharedMemory.open(directory, "small", 4, small);
                SlotConnection refused = container.connect("r")) {
            assertThat(refused.take(1L, 1 << 20, 1)).isPresent();
            assertThatThrownBy(() -> refused.take(2L, 16 << 20, 1))
                    .isInstanceOf(NoRoomException.class)
                    .hasMessageContaining(directory + " has 60 MiB left of 64")
                    .hasMessageContaining("4 slots of 18 MiB")
                    .asInstanceOf(InstanceOfAssertFactories.type(NoRoomException.class))
                    .extracting(refusal -> refusal.withSizeFor(48L << 20))
                    .asString()
                    // 4 MiB in use, and four times 54 MiB for all trainers.
                    .contains("at least 256 MiB", "--shm-size=256m", "sizeLimit 256Mi");
        }
    }
}
