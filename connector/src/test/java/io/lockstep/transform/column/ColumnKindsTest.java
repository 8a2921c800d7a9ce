package io.lockstep.transform.column;

import static io.lockstep.transform.Table.spec;
import static io.lockstep.transform.Table.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.transform.Table;
import io.lockstep.transform.TransformException;
import io.lockstep.transform.TransformSpec;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What each kind makes of a few rows, with nulls, NaN and infinities; and its errors. */
class ColumnKindsTest {

    private static final double NAN = Double.NaN;
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    private final Table table = new Table();

    /** Fails if a transform leaves memory behind. */
    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void selectKeepsTheColumnsInTheirNewOrder() {
        table.column("a", 1L).column("b", 2L).column("f00", 3L).column("f01", 4L);
        try (VectorSchemaRoot rows = table.apply(spec("select", "{'columns': ['f*', 'a']}"))) {
            assertThat(names(rows)).containsExactly("f00", "f01", "a");
            assertThat(values(rows, "f01")).containsExactly(4L);
        }
    }

    @Test
    void dropRemovesARange() {
        table.column("a", 1L).column("b", 2L).column("c", 3L).column("d", 4L);
        try (VectorSchemaRoot rows = table.apply(spec("drop", "{'columns': 'b..c'}"))) {
            assertThat(names(rows)).containsExactly("a", "d");
        }
    }

    @Test
    void renameReplacesWhatAStarStandsFor() {
        table.column("raw_a", 1L).column("raw_b", 2L).column("c", 3L);
        try (VectorSchemaRoot rows =
                table.apply(spec("rename", "{'raw_*': '*_raw', 'c': 'label'}"))) {
            assertThat(names(rows)).containsExactly("a_raw", "b_raw", "label");
            assertThat(values(rows, "label")).containsExactly(3L);
        }
    }

    @Test
    void fillReplacesNullsAndLeavesNan() {
        table.column("x", 1.5, null, NAN).column("n", null, 2L, null);
        table.column("s", "ä", null, "").column("b", null, false, true);
        try (VectorSchemaRoot rows =
                table.apply(
                        named("fx", "fill", "{'columns': 'x', 'value': -1}"),
                        named("fn", "fill", "{'columns': 'n', 'value': 7}"),
                        named("fs", "fill", "{'columns': 's', 'value': 'ö'}"),
                        named("fb", "fill", "{'columns': 'b', 'value': true}"))) {
            assertThat(values(rows, "x")).containsExactly(1.5, -1.0, NAN);
            assertThat(values(rows, "n")).containsExactly(7L, 2L, 7L);
            assertThat(values(rows, "s")).containsExactly("ä", "ö", "");
            assertThat(values(rows, "b")).containsExactly(true, false, true);
            assertThat(rows.getSchema().getFields()).noneMatch(Field::isNullable);
        }
    }

    @Test
    void fillRefusesAConstantOfAnotherType() {
        table.column("n", 1L, null);
        assertThatThrownBy(() -> table.apply(spec("fill", "{'columns': 'n', 'value': 0.5}")))
                .isInstanceOf(TransformException.class)
                .hasMessage(
                        "The transform 'fill': the column \"n\" is of type int64, which cannot hold"
                                + " 0.5.");
        table.column("n", 1L, null);
        assertThatThrownBy(() -> table.apply(spec("fill", "{'columns': 'n', 'value': 'meidan'}")))
                .hasMessageContaining("meidan")
                .hasMessageEndingWith("Did you mean \"median\"?");
    }

    @Test
    void theIndicatorTellsWhereNullsAre() {
        table.column("x", null, 2.0, NAN);
        try (VectorSchemaRoot rows = table.apply(spec("missing_indicator", "{'columns': ['x']}"))) {
            assertThat(names(rows)).containsExactly("x", "x_missing");
            assertThat(values(rows, "x_missing")).containsExactly((byte) 1, (byte) 0, (byte) 0);
            assertThat(values(rows, "x")).containsExactly(null, 2.0, NAN);
        }
    }

    @Test
    void clipLimitsFloatsAndKeepsTheirType() {
        table.column("x", -2f, 0.5f, Float.NaN, null).column("y", INFINITY, -INFINITY, 3.0, 9.0);
        try (VectorSchemaRoot rows =
                table.apply(spec("clip", "{'columns': '*', 'low': -1, 'high': 5}"))) {
            assertThat(values(rows, "x")).containsExactly(-1f, 0.5f, Float.NaN, null);
            assertThat(values(rows, "y")).containsExactly(5.0, -1.0, 3.0, 5.0);
        }
    }

    @Test
    void log1pMakesDoublesOfIntegers() {
        table.column("n", 0L, null, -1L, -2L);
        try (VectorSchemaRoot rows = table.apply(spec("log1p", "{'columns': 'n'}"))) {
            assertThat(values(rows, "n")).containsExactly(0.0, null, -INFINITY, NAN);
        }
    }

    @Test
    void castConvertsWhatFits() {
        table.column("a", 1.0, null, -3.0)
                .column("b", "12", " 1", "-7")
                .column("c", true, false, null);
        table.column("d", 300L, 1L, 2L);
        try (VectorSchemaRoot rows =
                table.apply(spec("cast", "{'a': 'int8', 'c': 'float32', 'd': 'uint16'}"))) {
            assertThat(values(rows, "a")).containsExactly((byte) 1, null, (byte) -3);
            assertThat(values(rows, "c")).containsExactly(1f, 0f, null);
            assertThat(values(rows, "d")).containsExactly((char) 300, (char) 1, (char) 2);
        }
    }

    @Test
    void castNamesTheValueThatDoesNotFit() {
        for (List<Object> each :
                Arrays.asList(
                        List.<Object>of(0.5, "int64"),
                        List.<Object>of(NAN, "int32"),
                        List.<Object>of(0x1p63, "int64"),
                        List.<Object>of(128L, "int8"),
                        List.<Object>of(-1L, "uint64"),
                        List.<Object>of(2L, "bool"),
                        List.<Object>of("1d", "float32"),
                        List.<Object>of("", "int8"))) {
            try (Table one = new Table()) {
                one.column("x", each.get(0));
                assertThatThrownBy(() -> one.apply(spec("cast", "{'x': '" + each.get(1) + "'}")))
                        .isInstanceOf(TransformException.class)
                        .hasMessage(
                                "The transform 'cast': the column \"x\" has %s in row 0 of a row"
                                        + " group, which %s cannot hold",
                                each.get(0), each.get(1));
            }
        }
    }

    @Test
    void exprComputesColumnsFromThoseBefore() {
        table.column("a", 1f, 3f, null).column("b", 1f, 0f, 2f).column("n", 1L, 2L, 3L);
        try (VectorSchemaRoot rows =
                table.apply(
                        spec(
                                "expr",
                                "{'ratio': 'a / (b + 1)', 'a': 'coalesce(a, 0) * 2',"
                                        + " 'old': 'a is null', 'm': 'n * 10'}"))) {
            assertThat(names(rows)).containsExactly("a", "b", "n", "ratio", "old", "m");
            assertThat(values(rows, "ratio")).containsExactly(0.5f, 3f, null);
            assertThat(values(rows, "a")).containsExactly(2f, 6f, 0f);
            assertThat(values(rows, "old")).containsExactly(false, false, true);
            assertThat(values(rows, "m")).containsExactly(10L, 20L, 30L);
        }
    }

    @Test
    void exprNamesColumnPositionAndRow() {
        table.column("n", 5L, Long.MAX_VALUE);
        assertThatThrownBy(() -> table.apply(spec("expr", "{'x': 'n +'}")))
                .isInstanceOf(TransformException.class)
                .hasMessageStartingWith("The transform 'expr': the column \"x\": `n +`, character");
        assertThatThrownBy(() -> table.apply(spec("expr", "{'x': 'm + 1'}")))
                .hasMessageContaining("the column \"x\"")
                .hasMessageContaining("m");
        table.column("n", 5L, Long.MAX_VALUE);
        assertThatThrownBy(() -> table.apply(spec("expr", "{'x': 'n + 1'}")))
                .isInstanceOf(TransformException.class)
                .hasMessageContaining("the column \"x\"")
                .hasMessageContaining("row 1");
    }

    @Test
    void packLaysColumnsSideBySide() {
        table.column("id", 9L, 8L).column("a", 1f, 2f).column("n", 3L, -4L).column("b", 0.5, NAN);
        try (VectorSchemaRoot rows =
                table.apply(spec("pack", "{'columns': ['a', 'b', 'n'], 'into': 'features'}"))) {
            assertThat(names(rows)).containsExactly("id", "features");
            assertThat(values(rows, "features"))
                    .containsExactly(List.of(1f, 0.5f, 3f), List.of(2f, Float.NaN, -4f));
        }
    }

    @Test
    void packedColumnsCanBePackedAgain() {
        table.column("a", 1f, 2f).column("b", 3f, 4f).column("c", 5f, 6f);
        try (VectorSchemaRoot rows =
                table.apply(
                        named("one", "pack", "{'columns': ['a', 'b'], 'into': 'ab'}"),
                        named("two", "pack", "{'columns': ['c', 'ab'], 'into': 'all'}"))) {
            assertThat(values(rows, "all"))
                    .containsExactly(List.of(5f, 1f, 3f), List.of(6f, 2f, 4f));
        }
    }

    @Test
    void packMasksNullsOrRefusesThem() {
        table.column("a", 1L, null).column("b", null, true);
        try (VectorSchemaRoot rows =
                table.apply(
                        spec(
                                "pack",
                                "{'columns': '*', 'into': 'x', 'type': 'int16', 'nulls': 'mask'}"))) {
            assertThat(values(rows, "x"))
                    .containsExactly(List.of((short) 1, (short) 0), List.of((short) 0, (short) 1));
            assertThat(values(rows, "x_mask"))
                    .containsExactly(List.of((byte) 1, (byte) 0), List.of((byte) 0, (byte) 1));
        }
        table.column("a", 1L, null);
        assertThatThrownBy(() -> table.apply(spec("pack", "{'columns': 'a', 'into': 'x'}")))
                .hasMessageContaining("the column \"a\" has a null in row 1 of a row group");
    }

    @Test
    void packRefusesTextsAndValuesThatDoNotFit() {
        table.column("s", "x");
        assertThatThrownBy(() -> table.apply(spec("pack", "{'columns': 's', 'into': 'x'}")))
                .hasMessageContaining("the column \"s\" is of type string")
                .hasMessageContaining("needs numbers");
        table.column("n", 70_000L);
        assertThatThrownBy(
                        () ->
                                table.apply(
                                        spec(
                                                "pack",
                                                "{'columns': 'n', 'into': 'x', 'type': 'int16'}")))
                .hasMessageContaining("the column \"n\" has 70000 in row 0");
    }

    @Test
    void halvesAreRoundedToEven() {
        assertThat(Halves.of(1.0)).isEqualTo((short) 0x3C00);
        assertThat(Halves.of(65_519.99)).isEqualTo((short) 0x7BFF);
        assertThat(Halves.of(65_520)).isEqualTo((short) 0x7C00);
        assertThat(Halves.of(-0.0)).isEqualTo((short) 0x8000);
        assertThat(Halves.of(0x1p-24)).isEqualTo((short) 1);
        assertThat(Halves.of(0x1p-25)).isEqualTo((short) 0);
        assertThat(Halves.of(0x1.8p-24)).isEqualTo((short) 2);
        assertThat(Halves.of(NAN)).isEqualTo((short) 0x7E00);
    }

    private static TransformSpec named(String name, String kind, String parameters) {
        return new TransformSpec(name, kind, parameters.replace('\'', '"'));
    }

    private static List<String> names(VectorSchemaRoot rows) {
        return rows.getSchema().getFields().stream().map(Field::getName).toList();
    }
}
