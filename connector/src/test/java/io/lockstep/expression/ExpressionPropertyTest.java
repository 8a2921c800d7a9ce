package io.lockstep.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.transform.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.arrow.memory.util.Float16;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares random expressions over random columns with an interpreter of single rows. */
class ExpressionPropertyTest {

    private static final Long[] INTEGERS = {
        0L, 1L, -1L, 2L, 7L, -7L, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE, null
    };
    private static final Double[] NUMBERS = {
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        1e300,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        1e19,
        null
    };
    private static final String[] STRINGS = {"", "a", "ab", "é", "aé", "\uD83D\uDE00", "b", null};

    @ParameterizedTest
    @CsvSource({"1, 40, 6000", "2, 4200, 60"})
    void valuesAreThoseOfTheInterpreter(int seed, int rows, int expressions) {
        RandomExpressions texts = new RandomExpressions(seed);
        int computed = 0;
        int failed = 0;
        try (Table table = new Table()) {
            List<Map<String, Object>> data = fill(table, rows, new Random(seed));
            RowInterpreter interpreter = new RowInterpreter(types(table));
            for (int i = 0; i < expressions; i++) {
                Expression expression = Expression.parse(texts.any());
                BoundExpression bound;
                try {
                    bound = expression.bind(table.schema());
                } catch (ExpressionException e) {
                    // Constants are computed at once.
                    assertThat(e).hasMessageMatching(".*(beyond the range of|undefined).*");
                    continue;
                }
                List<Object> expected = expected(expression, interpreter, data);
                List<Object> actual = actual(bound, table);
                assertThat(actual).as(expression.text()).isEqualTo(expected);
                computed += expected == null ? 0 : 1;
                failed += expected == null ? 1 : 0;
            }
        }
        assertThat(computed).isGreaterThan(expressions / 2);
        assertThat(failed).isGreaterThan(expressions / 100);
    }

    private static Map<String, Type> types(Table table) {
        return table.schema().getFields().stream()
                .collect(Collectors.toMap(Field::getName, field -> Type.of(field.getType())));
    }

    /** Returns null if a row cannot be computed. */
    private static List<Object> expected(
            Expression expression, RowInterpreter interpreter, List<Map<String, Object>> data) {
        try {
            List<Object> values = new ArrayList<>();
            data.forEach(row -> values.add(interpreter.value(expression.syntax(), row)));
            return values;
        } catch (ArithmeticException e) {
            return null;
        }
    }

    private static List<Object> actual(BoundExpression bound, Table table) {
        try (FieldVector made = bound.evaluate(table.rows(), "made", table.allocator())) {
            List<Object> values = new ArrayList<>();
            for (Object value : Table.values(new VectorSchemaRoot(List.of(made)), "made")) {
                boolean unsigned = made instanceof UInt8Vector;
                values.add(
                        value instanceof Long number
                                ? unsigned
                                        ? new BigInteger(Long.toUnsignedString(number))
                                        : BigInteger.valueOf(number)
                                : value);
            }
            return values;
        } catch (ExpressionException e) {
            assertThat(e).hasMessageContaining(" of a row group");
            return null;
        }
    }

    /** Adds columns; returns their rows as the interpreter reads them. */
    private static List<Map<String, Object>> fill(Table table, int rows, Random random) {
        List<Map<String, Object>> data = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            data.add(new HashMap<>());
        }
        Object[] i = draw(INTEGERS, rows, random);
        Object[] d = draw(NUMBERS, rows, random);
        Object[] s = draw(STRINGS, rows, random);
        Object[] t = draw(STRINGS, rows, random);
        Object[] b = draw(new Boolean[] {true, false, null}, rows, random);
        Object[] f = draw(NUMBERS, rows, random);
        for (int row = 0; row < rows; row++) {
            f[row] = f[row] == null ? null : ((Double) f[row]).floatValue();
        }
        table.column("i", i).column("d", d).column("s", s).column("t", t).column("b", b);
        table.column("f", f);
        IntVector j = new IntVector("j", table.allocator());
        UInt8Vector u = new UInt8Vector("u", table.allocator());
        Float2Vector g = new Float2Vector("g", table.allocator());
        List.of(j, u, g).forEach(FieldVector::allocateNew);
        for (int row = 0; row < rows; row++) {
            Map<String, Object> values = data.get(row);
            values.put("i", i[row] == null ? null : BigInteger.valueOf((Long) i[row]));
            values.put("d", d[row]);
            values.put("s", s[row]);
            values.put("t", t[row]);
            values.put("b", b[row]);
            values.put("f", f[row]);
            int small = random.nextInt();
            if (small % 5 == 0) {
                j.setNull(row);
                u.setNull(row);
                g.setNull(row);
                continue;
            }
            j.setSafe(row, small);
            values.put("j", BigInteger.valueOf(small));
            long unsigned = small % 3 == 0 ? random.nextLong() : small & 7;
            u.setSafe(row, unsigned);
            values.put("u", new BigInteger(Long.toUnsignedString(unsigned)));
            g.setSafe(row, (short) small);
            values.put("g", Float16.toFloat((short) small));
        }
        for (FieldVector vector : List.of(j, u, g)) {
            vector.setValueCount(rows);
            table.column(vector);
        }
        return data;
    }

    private static Object[] draw(Object[] from, int rows, Random random) {
        Object[] drawn = new Object[rows];
        for (int i = 0; i < rows; i++) {
            // The first rows give the column its type.
            drawn[i] = from[i < 2 ? 1 : random.nextInt(from.length)];
        }
        return drawn;
    }
}
