package io.lockstep.transform.column;

import static io.lockstep.transform.Table.spec;
import static io.lockstep.transform.Table.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.transform.Table;
import io.lockstep.transform.registry.TransformRegistry;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the kinds for categories, dates and lists make of a few rows; and their errors. */
class EncodingKindsTest {

    private final Table table = new Table();

    /** Fails if a transform leaves memory behind. */
    @AfterEach
    void close() {
        table.close();
    }

    /** The expected hashes are those of xxHash's own {@code xxhsum -H3}. */
    @Test
    void hashIsXxh3OfTheBytes() {
        assertThat(ValueHash.of(new byte[0])).isEqualTo(0x2D06800538D394C2L);
        table.column("s", "", "a", null).column("n", 5L, null, -1L);
        try (VectorSchemaRoot rows =
                table.apply(spec("hash", "{'columns': ['s', 'n'], 'buckets': 1000}"))) {
            long empty = Long.remainderUnsigned(0x2D06800538D394C2L, 1000);
            assertThat(values(rows, "s").get(0)).isEqualTo(empty);
            assertThat(values(rows, "s").get(2)).isNull();
            long five = ValueHash.of(new byte[] {5, 0, 0, 0, 0, 0, 0, 0});
            assertThat(values(rows, "n").get(0)).isEqualTo(Long.remainderUnsigned(five, 1000));
            assertThat(values(rows, "n").get(1)).isNull();
        }
    }

    @Test
    void hashReplacesTheElementsOfLists() {
        table.lists("l", new Long[] {5L, null}, null, new Long[] {}, new Long[] {5L});
        try (VectorSchemaRoot rows = table.apply(spec("hash", "{'columns': 'l', 'buckets': 7}"))) {
            List<Object> lists = values(rows, "l");
            Object five = ((List<?>) lists.get(3)).get(0);
            assertThat(lists)
                    .containsExactly(Arrays.asList(five, null), null, List.of(), List.of(five));
            assertThat((Long) five).isBetween(0L, 6L);
        }
    }

    @Test
    void crossTellsCombinationsApart() {
        table.column("a", "x", "y", "x", null).column("b", 1L, 1L, 2L, 1L);
        try (VectorSchemaRoot rows =
                table.apply(
                        spec(
                                "cross",
                                "{'columns': ['a', 'b'], 'into': 'ab', 'buckets': 1000000}"))) {
            assertThat(values(rows, "ab")).doesNotHaveDuplicates().doesNotContainNull();
            assertThat(values(rows, "a")).containsExactly("x", "y", "x", null);
        }
    }

    @Test
    void oneHotPutsAOneAtTheCode() {
        table.column("c", 2L, null, 0L);
        try (VectorSchemaRoot rows =
                table.apply(spec("one_hot", "{'columns': 'c', 'size': 3, 'type': 'uint8'}"))) {
            assertThat(values(rows, "c"))
                    .containsExactly(
                            List.of((byte) 0, (byte) 0, (byte) 1),
                            List.of((byte) 0, (byte) 0, (byte) 0),
                            List.of((byte) 1, (byte) 0, (byte) 0));
        }
        table.column("c", 1L, 3L);
        assertThatThrownBy(() -> table.apply(spec("one_hot", "{'columns': 'c', 'size': 3}")))
                .hasMessageContaining("\"c\" has the code 3 in row 1")
                .hasMessageContaining("from 0 to 2");
    }

    @Test
    void multiHotMarksEachElement() {
        table.lists("l", new Long[] {1L, 1L, null}, null, new Long[] {}, new Long[] {0L, 1L});
        try (VectorSchemaRoot rows =
                table.apply(spec("multi_hot", "{'columns': 'l', 'size': 2}"))) {
            assertThat(values(rows, "l"))
                    .containsExactly(
                            List.of(0f, 1f), List.of(0f, 0f), List.of(0f, 0f), List.of(1f, 1f));
        }
    }

    /** The expected numbers are those of pandas. */
    @Test
    void datePartsAreThoseOfPandas() {
        TimeStampNanoVector times = new TimeStampNanoVector("t", table.allocator());
        times.allocateNew(3);
        times.set(0, 1_709_251_198_500_000_000L);
        times.set(1, -86_399_000_000_000L);
        times.setValueCount(3);
        table.column(times);
        String parts =
                "['year','quarter','month','day','day_of_year','weekday','hour','minute','second']";
        try (VectorSchemaRoot rows =
                table.apply(spec("date_parts", "{'columns': 't', 'parts': " + parts + "}"))) {
            assertThat(row(rows, 0)).containsExactly(2024, 1, 2, 29, 60, 3, 23, 59, 58);
            assertThat(row(rows, 1)).containsExactly(1969, 4, 12, 31, 365, 2, 0, 0, 1);
            assertThat(row(rows, 2)).containsOnlyNulls();
        }
    }

    private static List<Object> row(VectorSchemaRoot rows, int row) {
        return rows.getFieldVectors().stream()
                .skip(1)
                .map(vector -> vector.getObject(row))
                .toList();
    }

    @Test
    void aTimeZoneIsThatOfTheColumn() {
        TimeStampMicroTZVector times =
                new TimeStampMicroTZVector("t", table.allocator(), "Europe/Berlin");
        times.allocateNew(1);
        times.set(0, 1_719_873_000_000_000L);
        times.setValueCount(1);
        DateDayVector days = new DateDayVector("d", table.allocator());
        days.allocateNew(1);
        days.set(0, -1);
        days.setValueCount(1);
        table.column(times).column(days);
        try (VectorSchemaRoot rows =
                table.apply(
                        spec("date_parts", "{'columns': ['t', 'd'], 'parts': ['day', 'hour']}"))) {
            assertThat(values(rows, "t_day")).containsExactly(2);
            assertThat(values(rows, "t_hour")).containsExactly(0);
            assertThat(values(rows, "d_day")).containsExactly(31);
        }
    }

    @Test
    void cyclicReturnsToItsStart() {
        table.column("hour", 0L, 6L, 24L, null);
        try (VectorSchemaRoot rows =
                table.apply(spec("cyclic", "{'columns': 'hour', 'period': 24}"))) {
            assertThat(values(rows, "hour_sin").subList(0, 2)).containsExactly(0f, 1f);
            assertThat((Float) values(rows, "hour_sin").get(2)).isBetween(-1e-6f, 1e-6f);
            assertThat(values(rows, "hour_cos").get(2)).isEqualTo(1f);
            assertThat(values(rows, "hour_cos").get(3)).isNull();
        }
    }

    @Test
    void listLengthCountsElements() {
        table.lists("l", new Long[] {1L, null}, null, new Long[] {});
        try (VectorSchemaRoot rows = table.apply(spec("list_length", "{'columns': 'l'}"))) {
            assertThat(values(rows, "l_length")).containsExactly(2, null, 0);
        }
    }

    @Test
    void truncateKeepsOneEnd() {
        table.lists("l", new Long[] {1L, 2L, 3L}, null, new Long[] {4L});
        try (VectorSchemaRoot rows =
                table.apply(spec("truncate", "{'columns': 'l', 'length': 2, 'keep': 'last'}"))) {
            assertThat(values(rows, "l")).containsExactly(List.of(2L, 3L), null, List.of(4L));
        }
    }

    @Test
    void padMakesATensor() {
        table.lists("l", new Long[] {1L, null, 3L}, null, new Long[] {4L, 5L, 6L, 7L});
        try (VectorSchemaRoot rows =
                table.apply(
                        spec(
                                "pad",
                                "{'columns': 'l', 'length': 3, 'value': -1, 'longer': 'first'}"))) {
            assertThat(values(rows, "l"))
                    .containsExactly(
                            List.of(1L, -1L, 3L), List.of(-1L, -1L, -1L), List.of(4L, 5L, 6L));
        }
        table.lists("l", new Long[] {1L, 2L});
        assertThatThrownBy(() -> table.apply(spec("pad", "{'columns': 'l', 'length': 1}")))
                .hasMessageContaining("\"l\" has a list of 2 elements in row 0");
    }

    @Test
    void aColumnOfAnotherTypeIsNamed() {
        table.column("x", 0.5);
        for (String kind : List.of("list_length", "hash", "date_parts", "one_hot", "multi_hot")) {
            String parameters =
                    switch (kind) {
                        case "hash" -> ", 'buckets': 3";
                        case "date_parts" -> ", 'parts': 'day'";
                        case "one_hot", "multi_hot" -> ", 'size': 2";
                        default -> "";
                    };
            assertThatThrownBy(
                            () ->
                                    TransformRegistry.chain(
                                                    "train",
                                                    List.of(
                                                            spec(
                                                                    kind,
                                                                    "{'columns': 'x'"
                                                                            + parameters
                                                                            + "}")))
                                            .schema(table.schema()))
                    .hasMessageStartingWith("The transform '" + kind + "': the column \"x\"")
                    .hasMessageContaining("float64");
        }
    }
}
