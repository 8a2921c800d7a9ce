package io.lockstep.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.source.split.LaneSplit;
import io.lockstep.testing.OwnThreads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for steps without a timer. */
@Timeout(30)
class ReadyQueueTest {

    private final ReadyQueue queue = new ReadyQueue();

    @Test
    void aWakeUpEndsAWaitWithNothing() throws Exception {
        CompletableFuture<Integer> taken = takeInBackground();

        queue.wakeUp();

        assertThat(taken.get(10, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void aWakeUpCountsOnce() throws Exception {
        queue.wakeUp();
        queue.await();
        assertThat(queue.take()).isEmpty();

        CompletableFuture<Integer> taken = takeInBackground();
        queue.end();

        assertThat(taken.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(queue.hasEnded()).isTrue();
    }

    @Test
    void lanesAreGivenUpOnceByTheFetcherThatHasThem() throws Exception {
        LaneSplit first = new LaneSplit("train", 0);
        LaneSplit second = new LaneSplit("train", 1);
        CompletableFuture<Integer> taken = takeInBackground();

        queue.recall(List.of(first, second));

        assertThat(taken.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(queue.takeRecalled(Set.of(first))).containsExactly(first);
        assertThat(queue.takeRecalled(Set.of(first))).isEmpty();
        assertThat(queue.takeRecalled(Set.of(first, second))).containsExactly(second);
    }

    @Test
    void aFailureReachesTheFetcher() {
        queue.fail(new IllegalStateException("row group 3 is unreadable"));

        assertThatThrownBy(queue::take)
                .isInstanceOf(StepFailedException.class)
                .hasMessage("row group 3 is unreadable");
    }

    private CompletableFuture<Integer> takeInBackground() {
        return OwnThreads.call(
                () -> {
                    queue.await();
                    return queue.take().size();
                });
    }
}
