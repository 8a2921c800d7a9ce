package io.lockstep.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockstep.batch.Allocators;
import io.lockstep.batch.Gather;
import io.lockstep.batch.StepBatch;
import io.lockstep.batch.Wire;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the golden vectors, which the executable specification of the digests generated. */
class StepDigestsTest {

    private final BufferAllocator allocator = Allocators.root(1 << 30);

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hashes")
    void followsTheDefinition(String way, Supplier<LaneHash> hash) throws IOException {
        List<Digest128> lanes = new ArrayList<>();
        JsonNode golden = golden();
        for (JsonNode vector : golden.get("lanes")) {
            String name = vector.get("name").asText();
            try (StepBatch batch = batch(vector.get("rows").binaryValue())) {
                assertThat(body(batch)).as(name).isEqualTo(vector.get("body").asText());
                Digest128 digest = digest(batch, hash);
                assertThat(digest).as(name).hasToString(vector.get("digest").asText());
                lanes.add(digest);
            }
        }
        assertThat(lanes).hasSizeGreaterThan(20).doesNotHaveDuplicates();
        assertThat(StepDigests.step(lanes)).hasToString(golden.get("step").asText());
    }

    @Test
    void writesAndReadsDigests() {
        Digest128 digest = new Digest128(0x0123456789abcdefL, -2);
        assertThat(digest).hasToString("0123456789abcdeffffffffffffffffe");
        assertThat(PackedDigests.parse(digest.toString())).containsExactly(digest);
        List<Digest128> two = List.of(digest, new Digest128(0, 15));
        String hex = PackedDigests.copyOf(two).hex();
        assertThat(hex).isEqualTo(digest + "0000000000000000000000000000000f");
        assertThat(PackedDigests.parse(hex)).isEqualTo(two);
        assertThatThrownBy(() -> PackedDigests.parse("12"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PackedDigests.parse("x".repeat(32)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /**
     * Sizes around the thresholds at which the hash changes its algorithm, in one piece and in
     * several.
     */
    @Test
    void isTheSameByBothWaysAndInPieces() {
        NativeHash.load();
        Random random = new Random(7);
        for (int size : new int[] {0, 1, 3, 8, 16, 17, 128, 129, 240, 241, 1024, 1025, 70_000}) {
            byte[] bytes = new byte[size];
            random.nextBytes(bytes);
            try (ArrowBuf memory = allocator.buffer(Math.max(1, size))) {
                memory.setBytes(0, bytes);
                long address = memory.memoryAddress();
                Digest128 want = inPieces(address, size, size, new JavaLaneHash());
                for (int piece : new int[] {size, 1 + size / 3, 64}) {
                    assertThat(inPieces(address, size, piece, new JavaLaneHash()))
                            .as("in Java, %d bytes in pieces of %d", size, piece)
                            .isEqualTo(want);
                    assertThat(inPieces(address, size, piece, NativeHash.fastest()))
                            .as("%d bytes in pieces of %d", size, piece)
                            .isEqualTo(want);
                }
            }
        }
    }

    private static Stream<Arguments> hashes() {
        NativeHash.load();
        Supplier<LaneHash> java = JavaLaneHash::new;
        Supplier<LaneHash> fastest = NativeHash::fastest;
        return Stream.of(Arguments.of("in Java", java), Arguments.of("the fastest", fastest));
    }

    private static Digest128 digest(StepBatch batch, Supplier<LaneHash> hash) {
        try (LaneHash made = hash.get()) {
            return made.digest(batch.readCanonical(0, batch.rows(), made));
        }
    }

    private static Digest128 inPieces(long address, int size, int piece, LaneHash hash) {
        try (hash) {
            int read = 0;
            do {
                int next = Math.min(piece, size - read);
                hash.read(address + read, next, read + next == size);
                read += next;
            } while (read < size);
            return hash.digest(new long[] {1, 0, size, 5});
        }
    }

    private static JsonNode golden() throws IOException {
        try (InputStream file = StepDigestsTest.class.getResourceAsStream("golden.json")) {
            return new JsonMapper().readTree(file);
        }
    }

    private static String body(StepBatch batch) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        batch.readCanonical(
                0,
                batch.rows(),
                (address, bytes, last) -> {
                    byte[] piece = new byte[(int) bytes];
                    AddressAccess.INSTANCE.copyToByteArray(null, address, piece, 0, piece.length);
                    body.writeBytes(piece);
                });
        return HexFormat.of().formatHex(body.toByteArray());
    }

    /** Gathers the rows of a stream that ends with {@code _sample} and {@code _weight}. */
    private StepBatch batch(byte[] stream) throws IOException {
        try (ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            List<Field> fields = root.getSchema().getFields();
            Gather gather =
                    new Gather(Wire.schema(new Schema(fields.subList(0, fields.size() - 2))));
            UInt8Vector samples = (UInt8Vector) root.getVector(Wire.SAMPLE);
            UInt1Vector weights = (UInt1Vector) root.getVector(Wire.WEIGHT);
            int rows = root.getRowCount();
            ByteBuffer weightBytes = ByteBuffer.allocate(rows);
            IntStream.range(0, rows).forEach(row -> weightBytes.put(weights.get(row)));
            return gather.gather(
                    List.of(gather.source(root)),
                    new int[rows],
                    IntStream.range(0, rows).toArray(),
                    IntStream.range(0, rows).mapToLong(samples::get).toArray(),
                    weightBytes.array(),
                    allocator);
        }
    }
}
