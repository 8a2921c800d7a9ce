package io.lockstep.handoff.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.handoff.client.BatchReader;
import io.lockstep.protocol.ErrorCode;
import io.lockstep.protocol.HandoffException;
import io.lockstep.protocol.Reply;
import io.lockstep.protocol.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many ranks at once, at random positions. */
@Timeout(120)
class ConcurrencyTest {

    private static final int JUMPS = 150;

    @TempDir Path memory;
    private final ExecutorService ranks = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        ranks.shutdown();
    }

    private CompletableFuture<Void> train(HandoffFixture fixture, int rank, AtomicInteger served) {
        return CompletableFuture.runAsync(
                () -> {
                    Random random = new Random(rank);
                    Transport transport = Transport.values()[rank % 2];
                    try (BatchReader reader = fixture.attach(rank, transport)) {
                        for (int i = 0; i < JUMPS; i++) {
                            int step = random.nextInt(TestJob.STEPS);
                            fixture.check(reader, List.of(rank), random.nextInt(2), step);
                            served.incrementAndGet();
                        }
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                },
                ranks);
    }

    @Test
    void everyRankGetsWhatItAsksFor() throws Exception {
        AtomicInteger served = new AtomicInteger();
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 50, memory)) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int rank = 0; rank < TestJob.LANES; rank++) {
                all.add(train(fixture, rank, served));
            }
            all.forEach(CompletableFuture::join);
            // A step that is requested again at once may still be in its slot.
            Reply.Stats stats = fixture.server.stats();
            assertThat(stats.served()).isBetween(1L, (long) TestJob.LANES * JUMPS);
            assertThat(stats.waiting()).isZero();
        }
        assertThat(served).hasValue(TestJob.LANES * JUMPS);
        assertThat(memory).isEmptyDirectory();
    }

    @Test
    void nothingLeaksWhereTheServerStopsInTheMidst() throws Exception {
        AtomicInteger served = new AtomicInteger();
        HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5000, memory);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int rank = 0; rank < TestJob.LANES; rank++) {
            all.add(train(fixture, rank, served));
        }
        while (served.get() < 2 * TestJob.LANES) {
            Thread.onSpinWait();
        }
        fixture.server.close();
        all.forEach(rank -> assertThat(rank).failsWithin(HandoffFixture.WAIT));
        fixture.close();
        assertThat(memory).isEmptyDirectory();
    }

    @Test
    void nothingLeaksWhereAnotherGenerationTakesOver() throws Exception {
        AtomicInteger served = new AtomicInteger();
        try (HandoffFixture fixture = new HandoffFixture(Samples.numbers(), 5000, memory)) {
            CompletableFuture<Void> former = train(fixture, 0, served);
            while (served.get() < 2) {
                Thread.onSpinWait();
            }
            fixture.job.generation(2);
            assertThat(former).failsWithin(HandoffFixture.WAIT);
            assertThatThrownBy(() -> fixture.attach(0, Transport.SHARED_MEMORY))
                    .isInstanceOf(HandoffException.class)
                    .extracting("code")
                    .isEqualTo(ErrorCode.FENCED);
            assertThat(fixture.server.stats().connections()).isZero();
            assertThat(fixture.server.stats().held()).isZero();
        }
    }
}
