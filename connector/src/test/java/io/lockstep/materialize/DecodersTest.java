package io.lockstep.materialize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Which tasks may run at once. The test's own thread is the pool. */
class DecodersTest {

    private final Queue<Runnable> pool = new ArrayDeque<>();
    private final Decoders decoders = new Decoders(pool::add);
    private final List<String> ran = new ArrayList<>();

    @Test
    void aTaskThatDoesNotFitWaitsForOthers() {
        decoders.limit(100);
        submit("a", 60);
        submit("b", 60);
        submit("c", 10);
        assertThat(pool).hasSize(1);
        pool.remove().run();
        assertThat(pool).as("b, and c behind it").hasSize(2);
        runAll();
        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void aTaskThatNeverFitsRunsAlone() {
        decoders.limit(100);
        submit("large", 1_000);
        submit("small", 1);
        assertThat(pool).hasSize(1);
        runAll();
        assertThat(ran).containsExactly("large", "small");
    }

    @Test
    void aTaskThatFailsGivesItsMemoryBack() {
        decoders.limit(100);
        decoders.using(100)
                .execute(
                        () -> {
                            throw new InternalError("truncated");
                        });
        submit("next", 100);
        Runnable failing = pool.remove();
        assertThatThrownBy(failing::run).isInstanceOf(InternalError.class);
        runAll();
        assertThat(ran).containsExactly("next");
    }

    @Test
    void aHigherLimitLetsWaitingTasksStart() {
        decoders.limit(10);
        submit("a", 10);
        submit("b", 10);
        decoders.limit(20);
        assertThat(pool).hasSize(2);
    }

    @Test
    void waitingTasksRunOneByOneWhenItIsClosed() {
        decoders.limit(10);
        List.of("a", "b", "c").forEach(name -> submit(name, 10));
        decoders.close();
        assertThat(pool).hasSize(2);
        runAll();
        assertThat(ran).containsExactly("a", "b", "c");
    }

    @Test
    void aPoolThatIsShutDownRejectsAsItWouldWithoutALimit() {
        Executor shutDown =
                task -> {
                    throw new RejectedExecutionException("shut down");
                };
        Executor executor = new Decoders(shutDown).using(1);
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class);
    }

    private void submit(String name, long bytes) {
        decoders.using(bytes).execute(() -> ran.add(name));
    }

    private void runAll() {
        while (!pool.isEmpty()) {
            pool.remove().run();
        }
    }
}
