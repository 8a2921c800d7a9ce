package io.lockstep.expression;

import static io.lockstep.transform.Table.values;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.transform.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TimeStampMilliVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values of expressions, written by hand. */
class ExpressionTest {

    private static final double NAN = Double.NaN;
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    private final Table table = new Table();

    /** Fails if an evaluation leaves memory behind. */
    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void comparisonsWithNullAreNull() {
        table.column("x", 1L, 2L, null, 3L);
        assertValues("x < 2", true, false, null, false);
        assertValues("x <= 2", true, true, null, false);
        assertValues("x <> 2", true, false, null, true);
        assertValues("2 == x", false, true, null, false);
        assertValues("x between 2 and 3", false, true, null, true);
        assertValues("x not between 2 and 3", true, false, null, false);
        assertValues("x is null", false, false, true, false);
        assertValues("x is not null", true, true, false, true);
    }

    @Test
    void nanEqualsNothing() {
        table.column("x", NAN, INFINITY, -INFINITY, 0.0, -0.0);
        assertValues("x = x", false, true, true, true, true);
        assertValues("x <> x", true, false, false, false, false);
        assertValues("x < 1", false, false, true, true, true);
        assertValues("not x >= 1", true, false, true, true, true);
        assertValues("x = 0", false, false, false, true, true);
        assertValues("x in (0.0, 5)", false, false, false, true, true);
        assertValues("x between -1 and 1", false, false, false, true, true);
        assertValues("x is null", false, false, false, false, false);
        assertValues("x / 0", NAN, INFINITY, -INFINITY, NAN, NAN);
    }

    @Test
    void logicHasThreeValues() {
        table.column("a", true, true, true, false, false, false, null, null, null);
        table.column("b", true, false, null, true, false, null, true, false, null);
        assertValues("a and b", true, false, null, false, false, false, null, false, null);
        assertValues("a or b", true, true, true, true, false, null, true, null, null);
        assertValues("not a", false, false, false, true, true, true, null, null, null);
        assertValues("a = b", true, false, null, false, true, null, null, null, null);
        assertValues("a and null", null, null, null, false, false, false, null, null, null);
    }

    @Test
    void aConditionProtectsThoseAfterIt() {
        table.column("a", 7L, 8L, 9L).column("n", 0L, 2L, null);
        assertValues("n <> 0 and a % n = 0", false, true, null);
        assertValues("n = 0 or a % n = 0", true, true, null);
        assertValues("coalesce(n, a % 5)", 0L, 2L, 4L);
    }

    @Test
    void arithmeticKeepsIntegersAndDividesToDoubles() {
        table.column("n", 7L, -7L, null).column("m", 2L, 2L, 2L);
        assertValues("n + m * 2 - 1", 10L, -4L, null);
        assertValues("-(n + m)", -9L, 5L, null);
        assertValues("n / m", 3.5, -3.5, null);
        assertValues("n % 4", 3L, 1L, null);
        assertValues("n % -4", -1L, -3L, null);
        assertValues("n * 0.5", 3.5, -3.5, null);
        assertValues("n - -m", 9L, -5L, null);
    }

    @Test
    void aConstantTakesTheTypeOfAFloat32Column() {
        table.column("f", 0.1f, 3f, null).column("d", 0.1, 3.0, 1.0);
        assertValues("f * 2.5", 0.1f * 2.5f, 7.5f, null);
        assertValues("f + 1", 0.1f + 1f, 4f, null);
        assertValues("f = 0.1", true, false, null);
        assertValues("f in (0.1, 3, 1e300)", true, true, null);
        assertValues("f * (1 / 3)", 0.1f * (float) (1 / 3.0), 3f * (float) (1 / 3.0), null);
        assertValues("f < 1e300", true, true, null);
        assertValues("f + d", 0.1f + 0.1, 6.0, null);
        assertValues("-f % 1", 1f - 0.1f, 0f, null);
    }

    @Test
    void coalesceTakesTheFirstThatIsNotNull() {
        table.column("a", null, 2L, null).column("b", 5L, 6L, null).column("s", "x", null, null);
        assertValues("coalesce(a, b, 0)", 5L, 2L, 0L);
        assertValues("coalesce(a, 0.5)", 0.5, 2.0, 0.5);
        assertValues("coalesce(s, 'none')", "x", "none", "none");
        assertValues("coalesce(null, a)", null, 2L, null);
        assertValues("coalesce(a > 1, false)", false, true, false);
    }

    @Test
    void aColumnThatCannotBeNullMakesNoneThatCan() {
        table.column("a", null, 2L);
        assertThat(bind("coalesce(a, 0)").field("x").isNullable()).isFalse();
        assertThat(bind("a is null").field("x").isNullable()).isFalse();
        assertThat(bind("a + 1").field("x").isNullable()).isTrue();
    }

    @Test
    void stringsAreComparedByCodePoints() {
        table.column("s", "Berlin", "berlin", "zürich", "", null, "\uD83D\uDE00", "\uFFFD");
        assertValues("s = 'berlin'", false, true, false, false, null, false, false);
        assertValues("s < 'a'", true, false, false, true, null, false, false);
        assertValues("s > '\uFFFD'", false, false, false, false, null, true, false);
        assertValues("s in ('', 'zürich')", false, false, true, true, null, false, false);
        assertValues("s not in ('', 'zürich')", true, true, false, false, null, true, true);
        assertValues("s = 'it''s'", false, false, false, false, null, false, false);
    }

    @Test
    void likeMatchesCharacters() {
        table.column("s", "abc", "aXYc", "äc", "100%", "a_c", "", null);
        assertValues("s like 'a%c'", true, true, false, false, true, false, null);
        assertValues("s like '_c'", false, false, true, false, false, false, null);
        assertValues("s like 'a_c'", true, false, false, false, true, false, null);
        assertValues("s like 'a!_c' escape '!'", false, false, false, false, true, false, null);
        assertValues("s like '%\\%' escape '\\'", false, false, false, true, false, false, null);
        assertValues("s like '%'", true, true, true, true, true, true, null);
        assertValues("s not like ''", true, true, true, true, true, false, null);
        assertValues("s like '%a%b%'", true, false, false, false, false, false, null);
    }

    @Test
    void namesCanBeQuotedAndKeywordsHaveAnyCase() {
        table.column("my \"col\"", 1L).column("date", 2L).column("größe", 3L).column("Not", 4L);
        assertValues("\"my \"\"col\"\"\" = 1 AND date Is Not NULL", true);
        assertValues("größe + \"Not\"", 7L);
    }

    @Test
    void datesAndTimestampsAreComparedAsTimes() {
        DateDayVector dates = new DateDayVector("day", table.allocator());
        TimeStampMilliVector times = new TimeStampMilliVector("at", table.allocator());
        TimeStampMicroTZVector instants =
                new TimeStampMicroTZVector("utc", table.allocator(), "Europe/Berlin");
        dates.allocateNew(2);
        times.allocateNew(2);
        instants.allocateNew(2);
        dates.set(0, 19_000);
        times.set(0, 19_000 * 86_400_000L);
        instants.set(0, 19_000 * 86_400_000_000L + 1);
        for (FieldVector each : List.of(dates, times, instants)) {
            each.setNull(1);
            each.setValueCount(2);
            table.column(each);
        }
        assertValues("day = '2022-01-08'", true, null);
        assertValues("day in ('2022-01-07', date '2022-01-08')", true, null);
        assertValues("day < timestamp '2022-01-08 00:00:01'", true, null);
        assertValues("at between '2022-01-08' and '2022-01-08T00:00:00.5'", true, null);
        assertValues("at = day", true, null);
        assertValues("utc > '2022-01-08 00:00:00'", true, null);
        assertValues("utc = timestamp '2022-01-08 01:00:00.000001+01:00'", true, null);
        assertValues("utc <> '2022-01-08 00:00:00.000001'", false, null);
        assertValues("coalesce(day, date '1970-01-02')", 19_000, 1);
    }

    @Test
    void unsignedNumbersKeepTheirValue() {
        UInt8Vector ids =
                (UInt8Vector)
                        new Field("id", FieldType.nullable(Type.UNSIGNED.arrow()), null)
                                .createVector(table.allocator());
        ids.allocateNew(3);
        ids.set(0, 5);
        ids.set(1, -1);
        ids.setNull(2);
        ids.setValueCount(3);
        table.column(ids).column("n", -1L, -1L, -1L);
        assertValues("id > 6", false, true, null);
        assertValues("id > -1", true, true, null);
        assertValues("-1 < id", true, true, null);
        assertValues("id = n", false, false, null);
        assertValues("n < id", true, true, null);
        assertValues("id = 18446744073709551615", false, true, null);
        assertValues("id in (5, -1)", true, false, null);
        assertValues("id > 1e19", false, true, null);
        assertValues("coalesce(id, 3) > 4", true, true, false);
    }

    @Test
    void decimalsAreReadAsDoubles() {
        DecimalVector prices = new DecimalVector("price", table.allocator(), 10, 2);
        prices.allocateNew(2);
        prices.set(0, new BigDecimal("19.99"));
        prices.set(1, new BigDecimal("-0.50"));
        prices.setValueCount(2);
        table.column(prices);
        assertValues("price * 2", 39.98, -1.0);
        assertValues("price = 19.99", true, false);
    }

    @Test
    void aListCanBeTestedForNulls() {
        table.lists("tags", new Long[] {1L}, null, new Long[0]);
        assertValues("tags is not null", true, false, true);
    }

    @Test
    void theRowsOfAConditionAreThoseForWhichItIsTrue() {
        Object[] numbers =
                IntStream.range(0, 10_000)
                        .mapToObj(i -> i % 3 == 0 ? null : (Object) (long) i)
                        .toArray();
        table.column("n", numbers);
        assertThat(bind("n % 2 = 0").select(table.rows(), table.allocator()))
                .isEqualTo(
                        IntStream.range(0, 10_000).filter(i -> i % 3 != 0 && i % 2 == 0).toArray());
    }

    @Test
    void noRowsGiveNoValues() {
        table.column("n");
        assertValues("n + 1");
    }

    @Test
    void anExpressionCanBeSent() throws Exception {
        Expression expression = Expression.parse("a in (1, 2) and \"b c\" > a");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(expression);
        Expression copy =
                (Expression)
                        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))
                                .readObject();
        assertThat(copy).isEqualTo(expression);
        assertThat(copy.columns()).containsExactly("a", "b c");
    }

    private BoundExpression bind(String text) {
        return Expression.parse(text).bind(table.schema());
    }

    private void assertValues(String text, Object... expected) {
        try (FieldVector made = bind(text).evaluate(table.rows(), "made", table.allocator())) {
            assertThat(values(new VectorSchemaRoot(List.of(made)), "made"))
                    .as(text)
                    .isEqualTo(Arrays.asList(expected));
            assertThat(made.getField()).isEqualTo(bind(text).field("made"));
        }
    }
}
