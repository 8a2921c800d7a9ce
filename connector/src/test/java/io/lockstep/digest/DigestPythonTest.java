package io.lockstep.digest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.batch.Allocators;
import io.lockstep.batch.BatchMessage;
import io.lockstep.batch.Lanes;
import io.lockstep.batch.RandomRows;
import io.lockstep.batch.StepBatch;
import io.lockstep.testing.TestPython;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the job and its clients compute the same digests of the same lanes. */
class DigestPythonTest {

    private static final int LANES = 3;

    @TempDir Path directory;
    private final BufferAllocator allocator = Allocators.root(1 << 30);

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    /** A lane's position in its rank's batch, which shifts bitmaps and offsets, does not matter. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void agreeOnEveryType(int seed) throws Exception {
        RandomGenerator random = new Random(seed);
        int rows = 1 + random.nextInt(70);
        Schema columns = RandomRows.everyType();
        Path stream = directory.resolve("stream");
        List<String> digests;
        try (VectorSchemaRoot root = RandomRows.root(columns, 100, random, allocator);
                StepBatch lanes = Lanes.gather(List.of(root), LANES * rows, random, allocator)) {
            digests = StepDigests.lanes(lanes, LANES).stream().map(Digest128::toString).toList();
            write(lanes.message(), stream);
        }
        String printed =
                TestPython.runResource(
                        "lane_digests.py",
                        TestPython.root().resolve("sink-trainer/python"),
                        stream,
                        rows);
        assertThat(printed.lines()).containsExactlyElementsOf(digests);
    }

    private void write(BatchMessage batch, Path file) throws IOException {
        try (VectorSchemaRoot root = VectorSchemaRoot.create(batch.schema(), allocator);
                OutputStream out = Files.newOutputStream(file);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
            batch.loadInto(root, allocator);
            writer.writeBatch();
        }
    }
}
