package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.lockstep.batch.Allocators;
import io.lockstep.handoff.client.BatchReader;
import io.lockstep.handoff.flight.PortRange;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Transport;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server without shared memory, or without its port. */
class FallbackTest {

    private static final String WHO = "'generation':1,'rank':0,'stream':'train'";

    @TempDir Path memory;

    private static HandoffSettings settings(Path memory, PortRange ports, int slots) {
        return new HandoffSettings(
                "/runs/a",
                "task-1",
                HandoffFixture.TOKEN,
                null,
                "127.0.0.1",
                "127.0.0.1",
                ports,
                memory,
                slots);
    }

    @Test
    void withoutADirectoryInMemoryBatchesGoByFlight() throws Exception {
        Path missing = memory.resolve("missing");
        try (HandoffFixture fixture =
                        new HandoffFixture(
                                Samples.everyType(), 9, settings(missing, PortRange.any(), 4));
                RawClient raw =
                        new RawClient(
                                fixture.server.uri(), HandoffFixture.TOKEN, fixture.allocator);
                BatchReader reader = fixture.attach(0, Transport.SHARED_MEMORY)) {
            assertThat(fixture.client.sharesMemory()).isFalse();
            JsonNode reply = raw.call("attach", "{%s,'transport':'shm'}", WHO);
            assertThat(reply.get("transport").asText()).isEqualTo("flight");
            assertThat(reply.get("reason").asText()).contains(missing.toString());
            assertThat(reader.transport()).isEqualTo(Transport.FLIGHT);
            fixture.check(reader, List.of(0, 1, 2, 3), 0, 0);
        }
    }

    @Test
    void withTooLittleMemoryTheNextAttachGivesFlightAndTheReason() throws Exception {
        // More slots than any memory holds.
        HandoffSettings settings = settings(memory, PortRange.any(), Integer.MAX_VALUE);
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5, settings)) {
            try (BatchReader reader = fixture.attach(0, Transport.SHARED_MEMORY)) {
                assertThat(reader.transport()).isEqualTo(Transport.SHARED_MEMORY);
                assertThatThrownBy(() -> fixture.check(reader, List.of(0), 0, 0))
                        .isInstanceOf(HandoffException.class)
                        .hasMessageContaining("--shm-size=")
                        .extracting("code")
                        .isEqualTo(ErrorCode.UNKNOWN_CONNECTION);
            }
            try (BatchReader reader = fixture.attach(0, Transport.SHARED_MEMORY)) {
                assertThat(reader.transport()).isEqualTo(Transport.FLIGHT);
                fixture.check(reader, List.of(0), 0, 0);
            }
            assertThat(fixture.server.stats().remade()).isZero();
        }
    }

    @Test
    void portsInUseAreNamedWithWhatToDo() throws Exception {
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5, memory);
                BufferAllocator allocator = Allocators.root(Long.MAX_VALUE)) {
            PortRange port = PortRange.parse(portOf(fixture.server));
            assertThatThrownBy(
                            () ->
                                    HandoffServer.start(
                                            settings(memory, port, 4), fixture.job, allocator))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("127.0.0.1 cannot listen on port " + port)
                    .hasMessageContaining("set hand-off.ports");
        }
        assertThat(memory).isEmptyDirectory();
    }

    @Test
    void ofARangeTheFirstFreePortIsTaken() throws Exception {
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
                TestJob job = new TestJob(Samples.numbers(), 5, allocator)) {
            int taken = first.getLocalPort();
            PortRange ports = new PortRange(taken, Math.min(taken + 100, 65535));
            try (HandoffServer server =
                    HandoffServer.start(settings(memory, ports, 4), job, allocator)) {
                assertThat(Integer.parseInt(portOf(server)))
                        .isGreaterThan(taken)
                        .isLessThanOrEqualTo(ports.last());
            }
        }
    }

    private static String portOf(HandoffServer server) {
        return Integer.toString(URI.create(server.uri()).getPort());
    }
}
