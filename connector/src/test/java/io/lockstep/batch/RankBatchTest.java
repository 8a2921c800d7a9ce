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

/** What a rank reads against the batches of its lanes. */
class RankBatchTest {

    private final BufferAllocator allocator = Allocators.root(1 << 30);
    private final List<VectorSchemaRoot> roots = new ArrayList<>();
    private final List<LaneBatch> lanes = new ArrayList<>();

    @AfterEach
    void nothingLeaks() {
        lanes.forEach(LaneBatch::close);
        roots.forEach(VectorSchemaRoot::close);
        allocator.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void writesAMessageThatArrowReads(long seed) throws IOException {
        makeLanes(seed, RandomRows.everyType());
        byte[] message = message(RankBatch.layout(lanes));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        MessageSerializer.serialize(
                new WriteChannel(Channels.newChannel(stream)), lanes.get(0).schema());
        stream.write(message);
        try (ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(stream.toByteArray()), allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            assertHoldsAllLanes(reader.getVectorSchemaRoot());
            assertThat(reader.loadNextBatch()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 8, 9})
    void loadsTheSameIntoVectors(long seed) {
        makeLanes(seed, RandomRows.everyType());
        RankBatch batch = RankBatch.layout(lanes);
        try (VectorSchemaRoot root = VectorSchemaRoot.create(batch.schema(), allocator)) {
            batch.loadInto(root, allocator);
            assertThat(root.getRowCount()).isEqualTo(batch.rows());
            assertHoldsAllLanes(root);
        }
    }

    @Test
    void writesEveryByteOfTheMessage() {
        makeLanes(10, RandomRows.everyType());
        RankBatch batch = RankBatch.layout(lanes);
        assertThat(batch.messageBytes() % 64).isZero();
        assertThat(message(batch, 0)).isEqualTo(message(batch, 0xFF));
    }

    @Test
    void leavesOutTheBitmapOfAColumnWithoutNulls() {
        Schema columns = new Schema(List.of(RandomRows.column("flag", new ArrowType.Bool())));
        try (VectorSchemaRoot root = VectorSchemaRoot.create(columns, allocator)) {
            root.allocateNew();
            root.getVector(0).getValidityBuffer().setByte(0, 0xFF);
            root.setRowCount(8);
            lanes.add(Lanes.gather(List.of(root), 100, new Random(1), allocator));
            lanes.add(Lanes.gather(List.of(root), 3, new Random(1), allocator));
            long before = allocator.getAllocatedMemory();
            try (var batch = RankBatch.layout(lanes).asRecordBatch(allocator)) {
                assertThat(batch.getBuffers().get(0).capacity()).isZero();
                assertThat(batch.getNodes().get(0).getNullCount()).isZero();
                // 103 bits, ids and weights, each rounded up to 64 bytes.
                assertThat(allocator.getAllocatedMemory() - before).isEqualTo(64 + 832 + 128);
            }
        }
    }

    @Test
    void refusesLanesOfDifferentSchemas() {
        makeLanes(11, new Schema(List.of(RandomRows.column("a", new ArrowType.Bool()))));
        makeLanes(11, new Schema(List.of(RandomRows.column("b", new ArrowType.Bool()))));
        assertThatThrownBy(() -> RankBatch.layout(lanes))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RankBatch.layout(List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesABufferThatIsTooSmall() {
        makeLanes(12, RandomRows.everyType());
        RankBatch batch = RankBatch.layout(lanes);
        try (ArrowBuf small = allocator.buffer(batch.messageBytes() - 64)) {
            assertThatThrownBy(() -> batch.writeTo(small))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    private void makeLanes(long seed, Schema columns) {
        RandomGenerator random = new Random(seed);
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            VectorSchemaRoot root =
                    RandomRows.root(columns, 1 + random.nextInt(40), random, allocator);
            roots.add(root);
            // Of any length, so that bitmaps meet in the middle of a byte.
            lanes.add(Lanes.gather(List.of(root), 1 + random.nextInt(50), random, allocator));
        }
    }

    private void assertHoldsAllLanes(VectorSchemaRoot root) {
        for (FieldVector vector : root.getFieldVectors()) {
            List<Object> expected = new ArrayList<>();
            for (LaneBatch lane : lanes) {
                expected.addAll(Lanes.values(lane.root().getVector(vector.getName())));
            }
            assertThat(Lanes.values(vector)).as(vector.getName()).isEqualTo(expected);
        }
    }

    private byte[] message(RankBatch batch) {
        return message(batch, 0);
    }

    private byte[] message(RankBatch batch, int background) {
        byte[] message = new byte[Math.toIntExact(batch.messageBytes())];
        try (ArrowBuf buffer = allocator.buffer(message.length)) {
            for (int i = 0; i < message.length; i++) {
                buffer.setByte(i, background);
            }
            batch.writeTo(buffer);
            buffer.getBytes(0, message);
        }
        return message;
    }
}
