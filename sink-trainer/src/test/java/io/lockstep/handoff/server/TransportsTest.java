package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.handoff.client.BatchReader;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches through a real server and client, by both transports. */
class TransportsTest {

    @TempDir Path memory;

    @ParameterizedTest
    @EnumSource(Transport.class)
    void carriesEveryType(Transport transport) throws Exception {
        try (HandoffFixture fixture = new HandoffFixture(Samples.everyType(), 37, memory);
                BatchReader reader = fixture.attach(0, transport)) {
            assertThat(reader.transport()).isEqualTo(transport);
            for (int step = 0; step < TestJob.STEPS; step++) {
                fixture.check(reader, List.of(0, 1, 2, 3), 0, step);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void servesAnyPositionAgain(Transport transport) throws Exception {
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5, memory);
                BatchReader reader = fixture.attach(0, transport)) {
            for (int step : new int[] {0, 1, 2, 0, 9, 9, 3, 4}) {
                fixture.check(reader, List.of(1, 3), 0, step);
            }
            fixture.check(reader, List.of(1, 3), 1, 0);
            fixture.check(reader, List.of(1, 3), 0, 4);

            Reply.Stats stats = fixture.server.stats();
            assertThat(stats.served()).isEqualTo(2 * 10);
            assertThat(stats.remade()).isPositive();
            assertThat(stats.lanes().get(TestJob.TRAIN).get(0).emitted()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void everyStepThatCameWasServedDroppedOrIsHeld(Transport transport) throws Exception {
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5, memory);
                BatchReader reader = fixture.attach(0, transport)) {
            for (int step : new int[] {0, 1, 5, 2, 3}) {
                fixture.check(reader, List.of(0), 0, step);
            }
            Reply.Stats stats = fixture.client.stats();
            assertThat(stats.served()).isEqualTo(5);
            assertThat(stats.emitted()).isEqualTo(stats.served() + stats.dropped() + stats.held());
        }
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void ranksAndStreamsGoBesideEachOther(Transport transport) throws Exception {
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5, memory);
                BatchReader first = fixture.attach(0, transport);
                BatchReader second = fixture.attach(1, transport)) {
            for (int step = 0; step < TestJob.STEPS; step++) {
                fixture.check(first, List.of(0, 1), 0, step);
                fixture.check(second, List.of(2, 3), 0, step);
            }
        }
    }

    @Test
    void aLargerBatchGetsALargerFile() throws Exception {
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 1000, memory);
                BatchReader reader = fixture.attach(0, Transport.SHARED_MEMORY)) {
            fixture.check(reader, List.of(0), 0, 0);
            assertThat(slotFiles()).isEqualTo(1);
            fixture.check(reader, List.of(0, 1, 2, 3), 0, 1);
            fixture.check(reader, List.of(0), 0, 2);
            assertThat(slotFiles()).isEqualTo(1);
        }
        assertThat(memory).isEmptyDirectory();
    }

    @Test
    void attachingAnewReplacesTheFormerConnection() throws Exception {
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5, memory);
                BatchReader lost = fixture.attach(0, Transport.SHARED_MEMORY)) {
            fixture.check(lost, List.of(0), 0, 0);
            try (BatchReader found = fixture.attach(0, Transport.SHARED_MEMORY)) {
                fixture.check(found, List.of(0), 0, 0);
                assertThat(slotFiles()).isEqualTo(1);
                found.detach();
                assertThat(slotFiles()).isZero();
            }
        }
    }

    private long slotFiles() throws IOException {
        try (Stream<Path> files = Files.list(memory)) {
            return files.filter(file -> file.toString().endsWith(".shm")).count();
        }
    }
}
