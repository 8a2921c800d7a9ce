package io.lockstep.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

/** The schema, size, digest and rows of a chain of transforms. */
class TransformChainTest {

    private static final ArrowType NUMBER = new ArrowType.Int(64, true);

    private static final Schema COLUMNS =
            new Schema(List.of(Field.nullable("x", NUMBER), Field.nullable("label", NUMBER)));

    /** Saved states contain it, so it must not change. */
    @Test
    void theDigestWithoutTransformsIsThatOfTheColumns() {
        String digest = "3a499fa383001b97c0f65009886b23820fe83f10a2c137bbceb3970dff6b0c9e";
        assertThat(TransformChain.empty().digest(COLUMNS)).isEqualTo(digest);
        assertThat(TransformChain.of("train", List.of()).digest(COLUMNS)).isEqualTo(digest);
    }

    @Test
    void theDigestDependsOnEveryTransformAndTheirOrder() {
        Plus one = new Plus("x", 1);
        Plus two = new Plus("x", 2);
        List<TransformChain> chains =
                List.of(
                        Plus.chain(),
                        Plus.chain(one),
                        Plus.chain(two),
                        Plus.chain(one, two),
                        Plus.chain(two, one));
        assertThat(chains.stream().map(chain -> chain.digest(COLUMNS))).doesNotHaveDuplicates();
        assertThatThrownBy(() -> Plus.chain(new Plus("a\nb", 1))).hasMessageContaining("one line");
    }

    @Test
    void transformsRunOneAfterTheOther() {
        TransformChain chain = Plus.chain(new Plus("x", 1), new Plus("x+1", 10));
        assertThat(chain.schema(COLUMNS).getFields())
                .extracting(Field::getName)
                .containsExactly("x+1+10");
        assertThat(chain.size(COLUMNS).bytes(64, 4)).isEqualTo(16);
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot made = chain.apply(rows(allocator, 5, 7), allocator)) {
            BigIntVector column = (BigIntVector) made.getVector("x+1+10");
            assertThat(List.of(column.get(0), column.get(1))).containsExactly(16L, 18L);
        }
    }

    @Test
    void aFailedTransformReleasesItsRows() {
        TransformChain chain = Plus.chain(new Plus("x", 1), new Plus("y", 1));
        try (BufferAllocator allocator = new RootAllocator()) {
            assertThatThrownBy(() -> chain.apply(rows(allocator, 5), allocator))
                    .isInstanceOf(NullPointerException.class);
            assertThat(allocator.getAllocatedMemory()).isZero();
        }
    }

    @Test
    void aTransformThatLosesRowsIsRefused() {
        TransformChain chain = Plus.chain(new Plus("x", 3, 1));
        try (BufferAllocator allocator = new RootAllocator()) {
            assertThatThrownBy(() -> chain.apply(rows(allocator, 5, 6), allocator))
                    .hasMessageContaining("'x+3' made 1 rows of 2");
            assertThat(allocator.getAllocatedMemory()).isZero();
        }
    }

    private static VectorSchemaRoot rows(BufferAllocator allocator, long... values) {
        BigIntVector column = new BigIntVector("x", allocator);
        column.allocateNew(values.length);
        for (int i = 0; i < values.length; i++) {
            column.set(i, values[i]);
        }
        column.setValueCount(values.length);
        return new VectorSchemaRoot(new ArrayList<>(List.of(column)));
    }
}
