package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.audit.DigestWriter;
import io.lockstep.batch.Allocators;
import io.lockstep.batch.StepBatch;
import io.lockstep.handoff.client.BatchReader;
import io.lockstep.handoff.client.Credentials;
import io.lockstep.handoff.client.HandoffClient;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.protocol.Transport;
import io.lockstep.run.RunToken;
import io.lockstep.source.split.LaneSplit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compare.Range;
import org.apache.arrow.vector.compare.RangeEqualsVisitor;
import org.apache.arrow.vector.types.pojo.Schema;

/** A real server with a test job upstream and a real client. Closing checks for leaks. */
final class HandoffFixture implements AutoCloseable {

    static final Duration WAIT = Duration.ofSeconds(60);

    private static final int SLOTS = 4;

    static final RunToken TOKEN = RunToken.random();

    final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
    final TestJob job;
    final HandoffServer server;
    final HandoffClient client;

    HandoffFixture(Schema columns, int rows, Path memory) throws IOException {
        this(
                columns,
                rows,
                new HandoffSettings(
                        "/runs/a",
                        "task-1",
                        HandoffFixture.TOKEN,
                        null,
                        "127.0.0.1",
                        "127.0.0.1",
                        PortRange.any(),
                        memory,
                        SLOTS));
    }

    HandoffFixture(Schema columns, int rows, HandoffSettings settings) throws IOException {
        this(columns, rows, settings, null);
    }

    HandoffFixture(Schema columns, int rows, HandoffSettings settings, DigestWriter digests)
            throws IOException {
        job = new TestJob(columns, rows, allocator);
        server = HandoffServer.start(settings, job, allocator, digests);
        job.serveBy(server, 1);
        client = HandoffClient.connect(server.uri(), new Credentials(TOKEN), allocator);
    }

    BatchReader attach(int rank, Transport transport) {
        return BatchReader.attach(client, 1, rank, TestJob.TRAIN, job.wire(), transport);
    }

    /** Gets a step and compares it with the job's. */
    void check(BatchReader reader, List<Integer> lanes, long epoch, long step) throws IOException {
        try (VectorSchemaRoot got = reader.get(lanes, epoch, step, step + 3, WAIT)) {
            int row = 0;
            for (int lane : lanes) {
                try (StepBatch expected =
                        job.expected(new LaneSplit(TestJob.TRAIN, lane), epoch, step)) {
                    assertRows(got, row, expected);
                    row += expected.rows();
                }
            }
            assertThat(got.getRowCount()).isEqualTo(row);
        }
    }

    private static void assertRows(VectorSchemaRoot got, int from, StepBatch expected) {
        for (int column = 0; column < got.getFieldVectors().size(); column++) {
            RangeEqualsVisitor visitor =
                    new RangeEqualsVisitor(
                            got.getVector(column), expected.root().getVector(column));
            assertThat(visitor.rangeEquals(new Range(from, 0, expected.rows())))
                    .as("column %s", got.getVector(column).getField())
                    .isTrue();
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        job.close();
        // Fails if a step or a batch was not released.
        allocator.close();
    }
}
