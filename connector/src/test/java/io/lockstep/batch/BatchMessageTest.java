package io.lockstep.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares what a rank reads with the gathered batch. */
class BatchMessageTest {

    private final BufferAllocator allocator = Allocators.root(1 << 30);
    private final List<VectorSchemaRoot> roots = new ArrayList<>();
    private StepBatch batch;

    @AfterEach
    void nothingLeaks() {
        if (batch != null) {
            batch.close();
        }
        roots.forEach(VectorSchemaRoot::close);
        allocator.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void writesAMessageThatArrowReads(long seed) throws IOException {
        gather(seed, RandomRows.everyType());
        byte[] message = bytes(batch.message(), 0);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        MessageSerializer.serialize(new WriteChannel(Channels.newChannel(stream)), batch.schema());
        stream.write(message);
        try (ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(stream.toByteArray()), allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            assertHoldsTheBatch(reader.getVectorSchemaRoot());
            assertThat(reader.loadNextBatch()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void loadsTheSameIntoVectors(long seed) {
        gather(seed, RandomRows.everyType());
        BatchMessage message = batch.message();
        try (VectorSchemaRoot root = VectorSchemaRoot.create(message.schema(), allocator)) {
            message.loadInto(root, allocator);
            assertThat(root.getRowCount()).isEqualTo(message.rows());
            assertHoldsTheBatch(root);
        }
    }

    @Test
    void writesEveryByteOfTheMessage() {
        gather(10, RandomRows.everyType());
        BatchMessage message = batch.message();
        assertThat(message.bytes() % 64).isZero();
        assertThat(bytes(message, 0)).isEqualTo(bytes(message, 0xFF));
    }

    @Test
    void leavesOutTheBitmapOfAColumnWithoutNulls() {
        Schema columns = new Schema(List.of(RandomRows.column("flag", new ArrowType.Bool())));
        try (VectorSchemaRoot root = VectorSchemaRoot.create(columns, allocator)) {
            root.allocateNew();
            root.getVector(0).getValidityBuffer().setByte(0, 0xFF);
            root.setRowCount(8);
            batch = Lanes.gather(List.of(root), 103, new Random(1), allocator);
            // 103 bits, ids and weights, each rounded up to 64 bytes.
            assertThat(batch.layout().bytes()).isEqualTo(64 + 832 + 128);
        }
    }

    @Test
    void refusesABufferThatIsTooSmall() {
        gather(12, RandomRows.everyType());
        BatchMessage message = batch.message();
        try (ArrowBuf small = allocator.buffer(message.bytes() - 64)) {
            assertThatThrownBy(() -> message.writeTo(small))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private void gather(long seed, Schema columns) {
        RandomGenerator random = new Random(seed);
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            roots.add(RandomRows.root(columns, 1 + random.nextInt(40), random, allocator));
        }
        batch = Lanes.gather(roots, 1 + random.nextInt(150), random, allocator);
    }

    private void assertHoldsTheBatch(VectorSchemaRoot root) {
        for (FieldVector vector : root.getFieldVectors()) {
            assertThat(Lanes.values(vector))
                    .as(vector.getName())
                    .isEqualTo(Lanes.values(batch.root().getVector(vector.getName())));
        }
    }

    private byte[] bytes(BatchMessage message, int background) {
        byte[] bytes = new byte[Math.toIntExact(message.bytes())];
        try (ArrowBuf buffer = allocator.buffer(bytes.length)) {
            for (int i = 0; i < bytes.length; i++) {
                buffer.setByte(i, background);
            }
            message.writeTo(buffer);
            buffer.getBytes(0, bytes);
        }
        return bytes;
    }
}
