package io.lockstep.cli.data;

import io.lockstep.UserException;
import io.lockstep.batch.Allocators;
import io.lockstep.python.PythonSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.NamedTransform;
import io.lockstep.transform.StepSamples;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.TransformSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Checks that each transform of a stream is a pure function of its rows: its result must be the
 * same for other cuts and another order of the rows, when other epochs come between, and in other
 * worker processes.
 */
public final class PurityCheck {

    /** Enough rows for several cuts. */
    private static final int ROWS = 2_000;

    private final PlannedStream planned;
    private final BufferAllocator allocator;

    private PurityCheck(PlannedStream planned, BufferAllocator allocator) {
        this.planned = planned;
        this.allocator = allocator;
    }

    /**
     * A transform that is not pure.
     *
     * @param number by which the order knows the first row whose result differs
     */
    public record Impure(String transform, long number) {}

    /**
     * Returns the first transform that is not pure.
     *
     * @param planned whose transforms are fitted
     * @throws UserException if that would run functions of another user
     */
    public static Optional<Impure> of(PlannedStream planned) throws IOException {
        try (BufferAllocator allocator = Allocators.root(Long.MAX_VALUE)) {
            return new PurityCheck(planned, allocator).check();
        }
    }

    private Optional<Impure> check() throws IOException {
        StreamSpec spec = planned.spec();
        List<NamedTransform> transforms = planned.transforms();
        List<NamedTransform> others = elsewhere(spec, transforms);
        int group = firstWithRows();
        VectorSchemaRoot rows = planned.before().content().read(group, allocator);
        try {
            int count = Math.min(ROWS, rows.getRowCount());
            rows = replaced(rows, RowSets.copy(rows, ascending(count), allocator));
            // Any numbers that differ serve for random streams.
            long first = planned.order().firstSample(group);
            long[] ids = LongStream.range(first, first + count).toArray();
            for (int i = 0; i < transforms.size(); i++) {
                VectorSchemaRoot made = apply(transforms.get(i), rows, ids, 0);
                try {
                    int differs = compare(others.get(i), rows, made, ids);
                    if (differs >= 0) {
                        return Optional.of(new Impure(transforms.get(i).name(), ids[differs]));
                    }
                } finally {
                    rows = replaced(rows, made);
                }
            }
            return Optional.empty();
        } finally {
            rows.close();
        }
    }

    private int firstWithRows() {
        return IntStream.range(0, planned.manifest().rowGroups().size())
                .filter(group -> planned.dataset().rows(group) > 1)
                .findFirst()
                .orElseThrow(
                        () ->
                                new UserException(
                                        "the stream '"
                                                + planned.spec().name()
                                                + "' has no row group with two rows, and a check of"
                                                + " its transforms compares several"));
    }

    /** The same transforms, whose functions run in worker processes of their own. */
    private static List<NamedTransform> elsewhere(StreamSpec spec, List<NamedTransform> fitted) {
        List<TransformSpec> specs = spec.transforms();
        List<NamedTransform> others =
                spec.with(
                                specs.stream()
                                        .map(each -> each.python() == null ? each : elsewhere(each))
                                        .toList())
                        .chain()
                        .transforms();
        return IntStream.range(0, specs.size())
                .mapToObj(i -> specs.get(i).python() == null ? fitted.get(i) : others.get(i))
                .toList();
    }

    private static TransformSpec elsewhere(TransformSpec spec) {
        PythonSettings own = spec.python();
        return spec.with(own.withWorkers(own.resolveWorkers() + 1));
    }

    /** Returns the first row whose result differs, or -1. */
    private int compare(
            NamedTransform transform, VectorSchemaRoot rows, VectorSchemaRoot made, long[] ids) {
        int count = ids.length;
        int[] all = ascending(count);
        if (transform.isOfBatches()) {
            apply(transform, rows, ids, 1).close();
            return firstOf(difference(transform, rows, made, ids, all));
        }
        int[] reversed = IntStream.range(0, count).map(i -> count - 1 - i).toArray();
        int cut = Math.max(1, count / 3);
        return firstOf(
                difference(transform, rows, made, ids, reversed),
                difference(transform, rows, made, ids, IntStream.range(0, cut).toArray()),
                difference(transform, rows, made, ids, IntStream.range(cut, count).toArray()));
    }

    private static int firstOf(int... rows) {
        return IntStream.of(rows).filter(row -> row >= 0).min().orElse(-1);
    }

    private int difference(
            NamedTransform transform,
            VectorSchemaRoot rows,
            VectorSchemaRoot made,
            long[] ids,
            int[] order) {
        long[] own = IntStream.of(order).mapToLong(row -> ids[row]).toArray();
        try (VectorSchemaRoot part = RowSets.copy(rows, order, allocator);
                VectorSchemaRoot again = apply(transform, part, own, 0)) {
            return RowSets.difference(made, again, order);
        }
    }

    private VectorSchemaRoot apply(
            NamedTransform transform, VectorSchemaRoot rows, long[] ids, long epoch) {
        StreamSpec spec = planned.spec();
        StepSamples samples =
                new StepSamples(spec.name(), spec.order().seed(), epoch, 1, ids.clone());
        VectorSchemaRoot copy = RowSets.copy(rows, ascending(rows.getRowCount()), allocator);
        return TransformChain.of(spec.name(), List.of(transform)).apply(copy, samples, allocator);
    }

    private static int[] ascending(int count) {
        return IntStream.range(0, count).toArray();
    }

    private static VectorSchemaRoot replaced(VectorSchemaRoot former, VectorSchemaRoot now) {
        former.close();
        return now;
    }
}
