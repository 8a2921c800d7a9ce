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
import java.util.ArrayList;
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

/** What a trainer's process makes of the memory that a rank's batch was written to. */
class RankBatchPythonTest {

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
        List<LaneBatch> lanes = new ArrayList<>();
        try (VectorSchemaRoot rows =
                RandomRows.root(RandomRows.everyType(), 100, random, allocator)) {
            for (int lane = 0; lane < 3; lane++) {
                lanes.add(Lanes.gather(List.of(rows), 30 + lane, random, allocator));
            }
            RankBatch batch = RankBatch.layout(lanes);
            writeMessage(batch, message);
            writeStream(batch, stream);
        } finally {
            lanes.forEach(LaneBatch::close);
        }
        String rows = TestPython.run(script(), message.toString(), stream.toString());
        assertThat(rows.strip()).isEqualTo("93");
    }

    private void writeMessage(RankBatch batch, Path file) throws IOException {
        try (ArrowBuf memory = allocator.buffer(batch.messageBytes());
                FileChannel channel =
                        FileChannel.open(
                                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            batch.writeTo(memory);
            ByteBuffer bytes = memory.nioBuffer(0, Math.toIntExact(batch.messageBytes()));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    private void writeStream(RankBatch batch, Path file) throws IOException {
        try (VectorSchemaRoot root = VectorSchemaRoot.create(batch.schema(), allocator);
                OutputStream out = Files.newOutputStream(file);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
            batch.loadInto(root, allocator);
            writer.writeBatch();
        }
    }

    private static String script() throws IOException {
        try (InputStream script =
                RankBatchPythonTest.class.getResourceAsStream("read_message.py")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
