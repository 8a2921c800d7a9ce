package io.lockstep.fit;

import io.lockstep.OrderedTasks;
import io.lockstep.batch.Allocators;
import io.lockstep.materialize.Content;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.TransformException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Computes statistics over all row groups, with a thread per processor. Single use. */
final class PassRunner implements AutoCloseable {

    private final Content content;
    private final BufferAllocator allocator = Allocators.root(Long.MAX_VALUE);
    private final OrderedTasks tasks;

    /**
     * @param content the rows
     */
    PassRunner(Content content) {
        this.content = content;
        this.tasks = new OrderedTasks("fit", content.readersAtATime());
    }

    /** A statistic that is being computed for a transform. */
    static final class Running<P> {

        private final String transform;
        private final Statistic.Computation<P> computation;
        private boolean ended;

        Running(String transform, Statistic.Computation<P> computation) {
            this.transform = transform;
            this.computation = computation;
        }

        boolean hasEnded() {
            return ended;
        }

        StatisticValue value() {
            return computation.value();
        }

        /** Returns a task that adds the partial result of the rows. */
        private Runnable summarise(VectorSchemaRoot rows) {
            try {
                P partial = computation.partial(rows);
                return () -> named(() -> computation.add(partial));
            } catch (TransformException e) {
                throw NamedTransform.named(transform, e);
            }
        }

        private void endPass() {
            named(() -> ended = computation.endPass());
        }

        private void named(Runnable step) {
            try {
                step.run();
            } catch (TransformException e) {
                throw NamedTransform.named(transform, e);
            }
        }
    }

    /**
     * Runs one pass.
     *
     * @param running statistics that have not ended
     * @param progress called with the number of row groups that are done
     */
    void pass(List<Running<?>> running, IntConsumer progress) throws IOException {
        int rowGroups = content.dataset().manifest().rowGroups().size();
        tasks.<List<Runnable>>run(
                rowGroups,
                rowGroup -> summarise(rowGroup, running),
                (rowGroup, additions) -> {
                    additions.forEach(Runnable::run);
                    progress.accept(rowGroup + 1);
                });
        running.forEach(Running::endPass);
    }

    private List<Runnable> summarise(int rowGroup, List<Running<?>> running) throws IOException {
        if (content.dataset().rows(rowGroup) == 0) {
            return List.of();
        }
        List<Runnable> additions = new ArrayList<>();
        try (VectorSchemaRoot rows = content.read(rowGroup, allocator)) {
            for (Running<?> each : running) {
                additions.add(each.summarise(rows));
            }
        }
        return additions;
    }

    @Override
    public void close() {
        // Tasks that are left over use the allocator.
        tasks.close();
        allocator.close();
    }
}
