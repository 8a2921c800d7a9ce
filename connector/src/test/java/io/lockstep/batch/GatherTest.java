package io.lockstep.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares a gather with reading row by row through Arrow's own accessors. */
class GatherTest {

    private final BufferAllocator allocator = Allocators.root(1 << 30);

    @AfterEach
    void nothingLeaks() {
        allocator.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void gathersWhatARowByRowReadingGives(long seed) {
        RandomGenerator random = new Random(seed);
        List<VectorSchemaRoot> roots = roots(seed);
        try (StepBatch batch = Lanes.gather(roots, 1 + random.nextInt(300), random, allocator)) {
            assertThat(batch.schema()).isEqualTo(Wire.schema(RandomRows.everyType()));
            assertHoldsWhatWasChosen(batch, roots);
        } finally {
            roots.forEach(VectorSchemaRoot::close);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void gathersTheSameFromPackedRows(long seed) {
        RandomGenerator random = new Random(seed);
        List<VectorSchemaRoot> roots = roots(seed);
        Gather gather = new Gather(Wire.schema(RandomRows.everyType()));
        List<VectorSchemaRoot> packed =
                roots(seed).stream().map(root -> gather.pack(root, allocator)).toList();
        int rows = 1 + random.nextInt(300);
        try (StepBatch batch = Lanes.gather(gather, packed, rows, random, allocator)) {
            assertThat(packed.get(0).getSchema()).isNotEqualTo(roots.get(0).getSchema());
            assertHoldsWhatWasChosen(batch, roots);
        } finally {
            roots.forEach(VectorSchemaRoot::close);
            packed.forEach(VectorSchemaRoot::close);
        }
    }

    @Test
    void leavesASingleColumnOfFixedWidthAsItIs() {
        try (VectorSchemaRoot root = ints(10)) {
            assertThat(new Gather(Wire.schema(root.getSchema())).pack(root, allocator))
                    .isSameAs(root);
        }
    }

    @Test
    void refusesRowsPackedForOtherColumns() {
        Schema few = new Schema(List.of(int32("a"), int32("b")));
        Schema many = new Schema(List.of(int32("a"), int32("b"), int32("c")));
        Gather wrong = new Gather(Wire.schema(many));
        VectorSchemaRoot rows = RandomRows.root(few, 10, new Random(1), allocator);
        try (VectorSchemaRoot packed = new Gather(Wire.schema(few)).pack(rows, allocator)) {
            assertThatThrownBy(() -> wrong.source(packed))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a:4,b:4,c:4");
        }
    }

    @Test
    void refusesToMixPackedRowsWithOthers() {
        Schema columns = new Schema(List.of(int32("a"), int32("b")));
        Gather gather = new Gather(Wire.schema(columns));
        VectorSchemaRoot rows = RandomRows.root(columns, 10, new Random(1), allocator);
        try (VectorSchemaRoot plain = RandomRows.root(columns, 10, new Random(1), allocator);
                VectorSchemaRoot packed = gather.pack(rows, allocator)) {
            List<VectorSchemaRoot> both = List.of(plain, packed);
            assertThatThrownBy(() -> Lanes.gather(gather, both, 4, new Random(1), allocator))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void takesExactlyTheMemoryOfItsBuffers() {
        try (VectorSchemaRoot root = ints(1000);
                StepBatch batch = Lanes.gather(List.of(root), 1000, new Random(1), allocator)) {
            // 1000 ints, ids and weights, each rounded up to 64 bytes.
            assertThat(batch.bytes()).isEqualTo(4032 + 8000 + 1024);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 10})
    void refusesRowsThatAreNotThere(int row) {
        try (VectorSchemaRoot root = ints(10)) {
            Gather gather = new Gather(Wire.schema(root.getSchema()));
            List<RowSource> sources = List.of(gather.source(root));
            int[] rows = {row};
            assertThatThrownBy(
                            () ->
                                    gather.gather(
                                            sources,
                                            new int[1],
                                            rows,
                                            new long[1],
                                            new byte[1],
                                            allocator))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    /** Reading there would crash the process. */
    @ParameterizedTest
    @CsvSource({"texts, 2, 1073741824", "texts, 2, -1", "texts, 2, 1", "lists, 2, 1073741824"})
    void refusesOffsetsThatLeadOutOfTheSource(String column, int at, int offset) {
        try (VectorSchemaRoot root = textsAndLists(4)) {
            Gather gather = new Gather(Wire.schema(root.getSchema()));
            List<RowSource> sources = List.of(gather.source(root));
            root.getVector(column).getOffsetBuffer().setInt((long) at * Integer.BYTES, offset);
            assertThatThrownBy(
                            () ->
                                    gather.gather(
                                            sources,
                                            new int[2],
                                            new int[] {1, 2},
                                            new long[2],
                                            new byte[2],
                                            allocator))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("The offsets of a row group lead from");
        }
    }

    /** Rows of a text of one character and a list of one text. */
    private VectorSchemaRoot textsAndLists(int rows) {
        Field text = RandomRows.column("texts", new ArrowType.Utf8());
        Field element = RandomRows.column("element", new ArrowType.Utf8());
        Field list = new Field("lists", FieldType.nullable(new ArrowType.List()), List.of(element));
        VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(List.of(text, list)), allocator);
        VarCharVector texts = (VarCharVector) root.getVector(0);
        ListVector lists = (ListVector) root.getVector(1);
        VarCharVector elements = (VarCharVector) lists.getDataVector();
        for (int i = 0; i < rows; i++) {
            texts.setSafe(i, new byte[2]);
            lists.startNewValue(i);
            elements.setSafe(i, new byte[1]);
            lists.endValue(i, 1);
        }
        root.setRowCount(rows);
        return root;
    }

    @Test
    void refusesTheUseOfAClosedBatch() {
        try (VectorSchemaRoot root = ints(10)) {
            StepBatch batch = Lanes.gather(List.of(root), 4, new Random(1), allocator);
            BatchMessage message = batch.message();
            batch.root();
            batch.close();
            batch.close();
            assertThatThrownBy(batch::root).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> message.writeTo(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    private void assertHoldsWhatWasChosen(StepBatch batch, List<VectorSchemaRoot> roots) {
        Lanes.Choice choice = Lanes.choice(batch);
        for (FieldVector vector : batch.root().getFieldVectors()) {
            assertThat(Lanes.values(vector))
                    .as(vector.getName())
                    .isEqualTo(choice.expected(roots, vector.getName()));
        }
    }

    /** Returns the same vectors for the same seed. */
    private List<VectorSchemaRoot> roots(long seed) {
        RandomGenerator random = new Random(seed);
        List<VectorSchemaRoot> roots = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            int rows = 1 + random.nextInt(60);
            roots.add(RandomRows.root(RandomRows.everyType(), rows, random, allocator));
        }
        return roots;
    }

    private VectorSchemaRoot ints(int rows) {
        Schema columns = new Schema(List.of(int32("i")));
        VectorSchemaRoot root = VectorSchemaRoot.create(columns, allocator);
        IntVector ints = (IntVector) root.getVector(0);
        for (int i = 0; i < rows; i++) {
            ints.setSafe(i, i);
        }
        root.setRowCount(rows);
        return root;
    }

    private static Field int32(String name) {
        return RandomRows.column(name, new ArrowType.Int(32, true));
    }
}
