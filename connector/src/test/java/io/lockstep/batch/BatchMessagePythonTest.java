package io.lockstep.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a trainer's process reads the memory to which a batch was written. */
class BatchMessagePythonTest {

    @TempDir Path directory;
    private final BufferAllocator allocator = Allocators.root(1 << 30);

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void isReadWhereItLies(long seed) throws Exception {
        RandomGenerator random = new Random(seed);
        Path message = directory.resolve("message");
        Path stream = directory.resolve("stream");
        try (VectorSchemaRoot rows =
                        RandomRows.root(RandomRows.everyType(), 100, random, allocator);
                StepBatch batch = Lanes.gather(List.of(rows), 93, random, allocator)) {
            writeMessage(batch.message(), message);
            writeStream(batch.message(), stream);
        }
        String rows = TestPython.run(script(), message.toString(), stream.toString());
        assertThat(rows.strip()).isEqualTo("93");
    }

    private void writeMessage(BatchMessage batch, Path file) throws IOException {
        try (ArrowBuf memory = allocator.buffer(batch.bytes());
                FileChannel channel =
                        FileChannel.open(
                                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            batch.writeTo(memory);
            ByteBuffer bytes = memory.nioBuffer(0, Math.toIntExact(batch.bytes()));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    private void writeStream(BatchMessage batch, Path file) throws IOException {
        try (VectorSchemaRoot root = VectorSchemaRoot.create(batch.schema(), allocator);
                OutputStream out = Files.newOutputStream(file);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
            batch.loadInto(root, allocator);
            writer.writeBatch();
        }
    }

    private static String script() throws IOException {
        try (InputStream script =
                BatchMessagePythonTest.class.getResourceAsStream("read_message.py")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
