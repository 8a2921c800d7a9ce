package io.lockstep.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the input of digests on batches of every type. */
class CanonicalBodyTest {

    private final BufferAllocator allocator = Allocators.root(1 << 30);

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    private record Piece(long address, byte[] bytes) {}

    @Test
    void readsABatchWithoutNullsInOnePieceWhereItLies() {
        Schema columns =
                new Schema(
                        List.of(
                                RandomRows.column("flag", new ArrowType.Bool()),
                                RandomRows.column("number", new ArrowType.Int(32, true)),
                                RandomRows.column("text", new ArrowType.Utf8())));
        try (VectorSchemaRoot rows = rows(columns, 1)) {
            rows.getFieldVectors().forEach(CanonicalBodyTest::setAll);
            try (StepBatch batch = Lanes.gather(List.of(rows), 33, new Random(2), allocator)) {
                List<Piece> pieces = read(batch, 0, batch.rows());
                assertThat(pieces).hasSize(1);
                assertThat(pieces.get(0).address()).isEqualTo(batch.address());
                assertThat(pieces.get(0).bytes()).hasSize((int) batch.layout().bytes());
            }
        }
    }

    /** Nulls in rows that were not selected, for which the batch has bitmaps, leave no trace. */
    @Test
    void doesNotDependOnNullsThatWereNotChosen() {
        try (VectorSchemaRoot rows = rows(RandomRows.everyType(), 3)) {
            rows.getFieldVectors().forEach(CanonicalBodyTest::setAll);
            try (StepBatch before = firstRows(rows)) {
                rows.getFieldVectors().forEach(CanonicalBodyTest::setLastToNull);
                try (StepBatch after = firstRows(rows)) {
                    assertThat(after.layout().bytes()).isGreaterThan(before.layout().bytes());
                    assertThat(bytes(after)).isEqualTo(bytes(before));
                    assertThat(after.readCanonical(0, after.rows(), (address, bytes, last) -> {}))
                            .isEqualTo(
                                    before.readCanonical(
                                            0, before.rows(), (address, bytes, last) -> {}));
                }
            }
        }
    }

    /** Returns all rows except the last. */
    private StepBatch firstRows(VectorSchemaRoot rows) {
        int chosen = rows.getRowCount() - 1;
        Gather gather = new Gather(Wire.schema(rows.getSchema()));
        return gather.gather(
                List.of(gather.source(rows)),
                new int[chosen],
                IntStream.range(0, chosen).toArray(),
                new long[chosen],
                new byte[chosen],
                allocator);
    }

    private static void setAll(FieldVector vector) {
        vector.getValidityBuffer().setOne(0, vector.getValidityBuffer().capacity());
        vector.getChildrenFromFields().forEach(CanonicalBodyTest::setAll);
    }

    /** Sets the last value to null, and in a fixed-size list also its last element. */
    private static void setLastToNull(FieldVector vector) {
        BitVectorHelper.unsetBit(vector.getValidityBuffer(), vector.getValueCount() - 1);
        if (vector instanceof FixedSizeListVector) {
            vector.getChildrenFromFields().forEach(CanonicalBodyTest::setLastToNull);
        }
    }

    /** Different bytes beneath the nulls, in the same rows, leave no trace. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void doesNotDependOnWhatLiesBeneathNulls(long seed) {
        try (VectorSchemaRoot rows = rows(RandomRows.everyType(), seed);
                StepBatch before = Lanes.gather(List.of(rows), 50, new Random(7), allocator)) {
            rows.getFieldVectors().forEach(vector -> scribble(vector, new Random(seed + 100)));
            try (StepBatch after = Lanes.gather(List.of(rows), 50, new Random(7), allocator)) {
                assertThat(bytes(after)).isEqualTo(bytes(before));
                assertThat(after.readCanonical(0, after.rows(), (address, bytes, last) -> {}))
                        .isEqualTo(
                                before.readCanonical(
                                        0, before.rows(), (address, bytes, last) -> {}));
            }
        }
    }

    /**
     * A lane among others reads as it does alone: bitmaps begin at any bit, offsets do not shift.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void doesNotDependOnTheRowsBeside(long seed) {
        try (VectorSchemaRoot rows = rows(RandomRows.everyType(), seed);
                StepBatch whole = Lanes.gather(List.of(rows), 90, new Random(seed), allocator)) {
            Gather gather = new Gather(Wire.schema(rows.getSchema()));
            Lanes.Choice choice = Lanes.choice(whole);
            for (int lane = 0; lane < 3; lane++) {
                int from = 30 * lane;
                try (StepBatch alone =
                        gather.gather(
                                List.of(gather.source(rows)),
                                new int[30],
                                Arrays.copyOfRange(choice.row(), from, from + 30),
                                Arrays.copyOfRange(choice.samples(), from, from + 30),
                                Arrays.copyOfRange(choice.weights(), from, from + 30),
                                allocator)) {
                    assertThat(bytes(whole, from, 30)).isEqualTo(bytes(alone));
                    assertThat(whole.readCanonical(from, 30, (address, bytes, last) -> {}))
                            .isEqualTo(alone.readCanonical(0, 30, (address, bytes, last) -> {}));
                }
            }
        }
    }

    private VectorSchemaRoot rows(Schema columns, long seed) {
        RandomGenerator random = new Random(seed);
        return RandomRows.root(columns, 40, random, allocator);
    }

    private static void scribble(FieldVector vector, RandomGenerator random) {
        for (FieldVector elements : vector.getChildrenFromFields()) {
            scribble(elements, random);
        }
        for (int i = 0; i < vector.getValueCount(); i++) {
            if (vector.isNull(i) && vector instanceof BitVector bits) {
                bits.set(i, random.nextInt(2));
                bits.setNull(i);
            } else if (vector.isNull(i) && vector instanceof BaseFixedWidthVector fixed) {
                int width = fixed.getTypeWidth();
                for (int k = 0; k < width; k++) {
                    fixed.getDataBuffer().setByte((long) i * width + k, random.nextInt());
                }
            }
        }
    }

    private static byte[] bytes(StepBatch batch) {
        return bytes(batch, 0, batch.rows());
    }

    private static byte[] bytes(StepBatch batch, int from, int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        read(batch, from, count).forEach(piece -> bytes.writeBytes(piece.bytes()));
        return bytes.toByteArray();
    }

    private static List<Piece> read(StepBatch batch, int from, int count) {
        List<Piece> pieces = new ArrayList<>();
        batch.readCanonical(
                from,
                count,
                (address, bytes, last) -> {
                    byte[] content = new byte[(int) bytes];
                    MemoryUtil.copyFromMemory(address, content, 0, content.length);
                    pieces.add(new Piece(address, content));
                });
        return pieces;
    }
}
