package io.lockstep.materialize;

import static io.lockstep.transform.Table.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.batch.StepBatch;
import io.lockstep.cache.RowGroupStore;
import io.lockstep.dataset.Dataset;
import io.lockstep.digest.Digest128;
import io.lockstep.digest.StepDigests;
import io.lockstep.expression.Expression;
import io.lockstep.filter.KeptRows;
import io.lockstep.filter.KeptRowsCounter;
import io.lockstep.filter.RowSelection;
import io.lockstep.manifest.Manifest;
import io.lockstep.manifest.ManifestPlanner;
import io.lockstep.manifest.Progress;
import io.lockstep.manifest.SchemaRules;
import io.lockstep.order.NoSuchPlaceException;
import io.lockstep.order.Order;
import io.lockstep.order.OrderException;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import io.lockstep.testing.TestParquet;
import io.lockstep.transform.TransformChain;
import io.lockstep.transform.registry.TransformRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that a filter leaves out: what the order counts, and which rows and ids a step has. */
class FilteredContentTest {

    private static final int ROWS = 1990;
    private static final int[] ALL = {0, 1, 2, 3};
    private static final OrderSettings SETTINGS =
            new OrderSettings(7, 4, 64, 2, Shuffle.LANE, Tail.PAD);

    @TempDir private Path scratch;
    private Manifest manifest;

    @BeforeEach
    void planADataset() throws IOException {
        for (int file = 0; file < 2; file++) {
            int first = file * ROWS / 2;
            TestParquet.write(
                    scratch.resolve("data/part-" + file + ".parquet"),
                    "message m { required int64 x; optional binary text (UTF8);"
                            + " required double y; optional int32 n; }",
                    ROWS / 2,
                    (row, i) -> {
                        row.add("x", (long) first + i);
                        if ((first + i) % 3 > 0) {
                            row.add("text", "row " + (first + i));
                        }
                        row.add("y", (first + i) / 7.0);
                        row.add("n", (first + i) % 10);
                    });
        }
        manifest = ManifestPlanner.plan(List.of(scratch.resolve("data").toString()), Progress.NONE);
    }

    private Dataset dataset(String filter) throws IOException {
        RowSelection rows = new RowSelection(Expression.parse(filter), null);
        KeptRows kept = KeptRowsCounter.count(rows, manifest, SchemaRules.STRICT, Progress.NONE);
        return Dataset.only(manifest, kept);
    }

    @Test
    void theOrderCountsKeptRowsOfEachRowGroup() throws IOException {
        List<Integer> progress = new ArrayList<>();
        KeptRows kept =
                KeptRowsCounter.count(
                        new RowSelection(Expression.parse("x >= 150 and x < 320"), null),
                        manifest,
                        SchemaRules.STRICT,
                        new Progress() {
                            @Override
                            public void footers(int done, int total) {}

                            @Override
                            public void rowGroups(int done, int total) {
                                progress.add(done);
                            }
                        });
        long[] counts = new long[manifest.rowGroups().size()];
        counts[1] = 50;
        counts[2] = 100;
        counts[3] = 20;
        assertThat(kept.counts()).isEqualTo(counts);
        assertThat(progress).hasSize(counts.length).isSorted().endsWith(counts.length);
    }

    @Test
    void stepsHaveTheKeptRowsWithTheirIdsInTheWholeDataset() throws Exception {
        assertSteps("n <> 3 and text is not null", List.of(), x -> x % 10 != 3 && x % 3 > 0);
        assertSteps("x >= 150 and x < 320", List.of("text", "x"), x -> x >= 150 && x < 320);
        assertSteps("n in (1, 7)", List.of("x"), x -> x % 10 == 1 || x % 10 == 7);
        assertSteps("true", List.of("x"), x -> true);
    }

    /** Compares the whole epoch with the order over the counts of kept rows. */
    private void assertSteps(String filter, List<String> columns, LongPredicate keeps)
            throws Exception {
        Dataset dataset = dataset(filter);
        Order order = dataset.order(SETTINGS);
        Content content = new Content(dataset, columns, TransformChain.empty());
        long[] kept = LongStream.range(0, ROWS).filter(keeps).toArray();
        assertThat(order.totalRows()).isEqualTo(kept.length);
        assertThat(dataset.epochs(order).of(0).rows()).isEqualTo(kept.length);
        SampleIds ids = content.sampleIds(order);
        Set<Long> served = new HashSet<>();
        for (long step = 0; step < order.steps(); step++) {
            StepPlan plan = order.step(0, step);
            List<Long> expected = new ArrayList<>();
            for (int lane : ALL) {
                for (int place = 0; place < SETTINGS.perLane(); place++) {
                    long sample = kept[(int) plan.sample(lane, place)];
                    expected.add(sample);
                    assertThat(ids.sample(plan, lane, place)).isEqualTo(sample);
                    assertThat(ids.inOrder(sample)).hasValue(plan.sample(lane, place));
                }
            }
            served.addAll(expected);
            try (StepRows rows = StepRows.direct(content, order, 0, step, ALL)) {
                assertThat(samples(rows.root())).isEqualTo(expected);
                assertThat(rows.root().getFieldVectors())
                        .extracting(vector -> vector.getField().getName())
                        .hasSize(columns.isEmpty() ? 5 : columns.size() + 1);
                assertRows(rows.root(), expected);
            }
        }
        assertThat(served).hasSize(kept.length);
        assertJobMakesTheSame(content, order);
    }

    private static List<Long> samples(VectorSchemaRoot root) {
        UInt8Vector ids = (UInt8Vector) root.getVector("_sample");
        return LongStream.range(0, root.getRowCount()).mapToObj(i -> ids.get((int) i)).toList();
    }

    private static void assertRows(VectorSchemaRoot root, List<Long> samples) {
        BigIntVector x = (BigIntVector) root.getVector("x");
        VarCharVector text = (VarCharVector) root.getVector("text");
        for (int i = 0; i < samples.size(); i++) {
            long sample = samples.get(i);
            assertThat(x.get(i)).isEqualTo(sample);
            if (text != null) {
                assertThat(text.isNull(i)).isEqualTo(sample % 3 == 0);
                assertThat(text.isNull(i) || text.getObject(i).toString().equals("row " + sample))
                        .isTrue();
            }
        }
    }

    private void assertJobMakesTheSame(Content content, Order order) throws Exception {
        try (BufferAllocator allocator = new RootAllocator();
                RowGroupStore store =
                        RowGroupStore.open(scratch.resolve("cache"), 1 << 26, allocator);
                Decoders decoders = new Decoders(Runnable::run)) {
            RowGroupSource stored = new StoredRowGroups(content, store, decoders);
            Materializer stream =
                    new Materializer(
                            content, order, content.dataset().epochs(order), stored, Runnable::run);
            for (long step = 0; step < order.steps(); step++) {
                List<Digest128> job = new ArrayList<>();
                for (int number : ALL) {
                    try (LaneWindows lane = stream.lane(number)) {
                        lane.prepare(step).join();
                        try (StepBatch batch = lane.gather(step, allocator)) {
                            job.add(StepDigests.lane(batch));
                        }
                    }
                }
                try (StepRows direct = StepRows.direct(content, order, 0, step, ALL);
                        StepRows fromStore =
                                StepRows.read(content, order, stored, 0, step, ALL, allocator)) {
                    assertThat(direct.digests()).isEqualTo(job);
                    assertThat(fromStore.digests()).isEqualTo(job);
                }
            }
        }
    }

    @Test
    void transformsSeeKeptRowsAndRandomOnesDrawForTheirIds() throws Exception {
        TransformChain chain =
                TransformRegistry.chain(
                        "train",
                        List.of(
                                spec("drop", "{'columns': ['n', 'text']}"),
                                spec("jitter", "{'columns': 'y', 'sigma': 1}")));
        Dataset all = Dataset.only(manifest);
        Dataset some = dataset("n < 5");
        Order order = some.order(SETTINGS);
        Content filtered = new Content(some, List.of(), chain);
        assertJobMakesTheSame(filtered, order);
        OrderSettings sequential = new OrderSettings(7, 1, ROWS, 1, Shuffle.SEQUENTIAL, Tail.PAD);
        try (StepRows whole =
                        StepRows.direct(
                                new Content(all, List.of(), chain),
                                all.order(sequential),
                                0,
                                0,
                                new int[1]);
                StepRows part = StepRows.direct(filtered, order, 0, 0, ALL)) {
            assertThat(part.root().getSchema().getFields())
                    .extracting(Field::getName)
                    .containsExactly("x", "y", "_sample");
            List<Long> samples = samples(part.root());
            for (int i = 0; i < samples.size(); i++) {
                assertThat(part.root().getVector("y").getObject(i))
                        .isEqualTo(
                                whole.root().getVector("y").getObject(samples.get(i).intValue()));
            }
        }
    }

    @Test
    void theFilterIsInKeyAndDigest() throws IOException {
        Content all = new Content(Dataset.only(manifest), List.of("x"), TransformChain.empty());
        Content few = new Content(dataset("n = 1"), List.of("x"), TransformChain.empty());
        Content others = new Content(dataset("n = 2"), List.of("x"), TransformChain.empty());
        assertThat(List.of(all.key(0), few.key(0), others.key(0))).doesNotHaveDuplicates();
        assertThat(List.of(all.digest(), few.digest(), others.digest())).doesNotHaveDuplicates();
        assertThat(few.decodedBytes(0)).isLessThan(all.decodedBytes(0));
        assertThat(few.decodingBytes(0)).isGreaterThan(few.decodedBytes(0));
    }

    @Test
    void aSampleThatIsLeftOutHasNoPlace() throws IOException {
        Dataset dataset = dataset("n = 1");
        Order order = dataset.order(SETTINGS);
        SampleIds ids = new Content(dataset, List.of(), TransformChain.empty()).sampleIds(order);
        assertThat(ids.inOrder(11)).hasValue(1);
        assertThat(ids.inOrder(12)).isEmpty();
        assertThatThrownBy(() -> ids.inOrder(ROWS))
                .isInstanceOf(NoSuchPlaceException.class)
                .hasMessage("there is no sample 1990: the dataset has the samples 0 to 1989");
    }

    @Test
    void tooFewKeptRowsAreRefused() throws IOException {
        Dataset none = dataset("x < 0");
        assertThatThrownBy(() -> none.order(SETTINGS))
                .isInstanceOf(OrderException.class)
                .hasMessage(
                        "the filter keeps none of the dataset's 1,990 rows: choose another one");
        Dataset few = dataset("x < 20");
        OrderSettings drop = new OrderSettings(7, 4, 64, 2, Shuffle.LANE, Tail.DROP);
        assertThatThrownBy(() -> few.order(drop))
                .isInstanceOf(OrderException.class)
                .hasMessageContaining("a batch takes 64")
                .hasMessageEndingWith("(the filter keeps 20 of the dataset's 1,990 rows)");
    }

    @Test
    void aFilterThatDoesNotFitIsRefused() {
        assertRefused(
                "nn = 1",
                "the filter `nn = 1`, character 1: there is no column \"nn\". Did you mean \"n\"?"
                        + " The columns are x, text, y, n.");
        assertRefused(
                "n + 1",
                "the filter `n + 1` is no condition that is true or false, such as `n + 1 > 0`");
        assertRefused(
                "9 % n = 1",
                "the filter `9 % n = 1`, character 3: 9 % 0 is undefined in row 0 of a row group:"
                        + " row group 0 of "
                        + manifest.shards().get(0).location());
    }

    private void assertRefused(String filter, String message) {
        assertThatThrownBy(() -> dataset(filter))
                .isInstanceOf(UserException.class)
                .hasMessage(message);
    }

    @Test
    void countsThatAreNotThoseOfTheFilesAreRefused() throws Exception {
        RowSelection rows = new RowSelection(Expression.parse("n < 3"), null);
        long[] counts = dataset("n < 3").kept().counts();
        counts[2]--;
        Dataset wrong = Dataset.only(manifest, new KeptRows(rows, counts));
        Content content = new Content(wrong, List.of(), TransformChain.empty());
        try (BufferAllocator allocator = new RootAllocator()) {
            content.read(1, allocator).close();
            assertThatThrownBy(() -> content.read(2, allocator))
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("the filter keeps 30 rows of row group 2 of ")
                    .hasMessageContaining("and 29 were counted when the run was planned");
        }
    }
}
