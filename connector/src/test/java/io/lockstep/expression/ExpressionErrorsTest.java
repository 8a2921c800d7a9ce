package io.lockstep.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.transform.Table;
import java.util.List;
import java.util.Random;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What expressions are refused, and with which message. */
@Timeout(120)
class ExpressionErrorsTest {

    private final Table table =
            new Table()
                    .column("age", 1L, null)
                    .column("fare", 7.25, 8.0)
                    .column("sex", "male", "female")
                    .column("survived", true, false)
                    .lists("tags", new Long[0], new Long[0]);

    /** Fails if an error leaves memory behind. */
    @AfterEach
    void close() {
        table.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "age > | 6 | expected a value, but found the end",
                "age > 5 andd fare > 1 | 9 | expected an operator or the end, but found 'andd'",
                "age = 1 & fare = 2 | 9 | '&' is not an operator; write 'and'",
                "`age` = 1 | 1 | write the name of a column in double quotes, not in backticks",
                "sex = 'male | 7 | the closing ' is missing",
                "\"sex = 1 | 1 | the closing \" is missing",
                "0 < age < 5 | 9 | comparisons cannot follow one another; join them by 'and', or use parentheses",
                "(age > 5 | 9 | expected ')', but found the end",
                "age is 5 | 8 | expected 'null', but found '5'",
                "age in 5 | 8 | expected '(', but found '5'",
                "age in (fare) | 9 | a list of 'in' has only numbers, strings, dates and true or false",
                "age in () | 9 | expected a value, but found ')'",
                "age between 1 or 2 | 15 | expected 'and', but found 'or'",
                "not > 1 | 5 | expected a value, but found '>'",
                "like > 1 | 1 | expected a value, but found 'like'; a column of this name needs double quotes",
                "sex like age | 10 | expected a pattern in single quotes, but found 'age'",
                "sex like 'a' escape 'xy' | 21 | 'escape' takes a single character",
                "sex like '!a' escape '!' | 5 | in the pattern, the escape character stands only before %, _ and itself",
                "abs(age) > 1 | 1 | there is no function 'abs'; the only one is 'coalesce'",
                "age.years > 1 | 1 | a field of a nested column cannot be used, only whole columns; write the name of a column that contains a dot in double quotes",
                "2nd = 1 | 1 | a name that begins with a digit needs double quotes, and a number ends before a letter",
                "age < 99999999999999999999 | 7 | the number is beyond the range of int64 and uint64; write it with a point for a float64",
                "age < 1e999 | 7 | the number is beyond the range of float64",
                "agee > 5 | 1 | there is no column \"agee\". Did you mean \"age\"? The columns are age, fare, sex, survived, tags.",
                "Age > 5 | 1 | there is no column \"Age\". Did you mean \"age\"? The columns are age, fare, sex, survived, tags.",
                "sex < 500 | 5 | the column \"sex\" of type string cannot be compared to 500",
                "fare = 'x' | 6 | the column \"fare\" of type float64 cannot be compared to 'x'",
                "age + fare = sex | 12 | a value of type float64 cannot be compared to the column \"sex\" of type string",
                "age in (1, 'a') | 5 | the column \"age\" of type int64 cannot be compared to 'a'",
                "survived = 1 | 10 | the column \"survived\" of type bool cannot be compared to 1",
                "survived > false | 10 | true and false have no order; compare them by = or <>",
                "sex + 1 | 1 | the column \"sex\" of type string cannot be used in arithmetic",
                "-survived | 2 | the column \"survived\" of type bool cannot be used in arithmetic",
                "age like 'a' | 5 | 'like' needs a string, and the column \"age\" of type int64 is none",
                "age and survived | 1 | 'and' takes conditions, and the column \"age\" of type int64 is not one",
                "age = null | 5 | a comparison with null is never true; write 'is null' or 'is not null'",
                "age in (1, null) | 12 | null in a list equals nothing; write 'or … is null'",
                "null | 1 | the expression is null for every row",
                "coalesce(null) | 1 | a 'coalesce' of nulls is null for every row",
                "coalesce(age, sex) | 1 | the column \"age\" of type int64 cannot stand in a 'coalesce' with the column \"sex\" of type string",
                "tags = 1 | 6 | the column \"tags\" of type list<int64> cannot be compared to 1",
                "tags | 1 | the column \"tags\" of type list<int64> can only be tested by 'is null'",
                "coalesce(tags, 1) | 1 | the column \"tags\" of type list<int64> cannot stand in a 'coalesce' with 1",
                "date '2024-02-30' < 1 | 1 | a date is written '2024-12-31'",
                "timestamp 'now' < 1 | 1 | a timestamp is written '2024-12-31 23:59:59', with an optional fraction of the second and an optional offset such as +02:00 or Z",
                "1 % 0 = age | 3 | 1 % 0 is undefined",
            })
    void aWrongExpressionIsRefusedWithItsPlace(String text, int character, String problem) {
        assertThatThrownBy(() -> Expression.parse(text).bind(table.schema()))
                .isInstanceOf(ExpressionException.class)
                .hasMessage("`%s`, character %d: %s", text, character, problem);
    }

    @Test
    void anEmptyTextIsRefused() {
        assertThatThrownBy(() -> Expression.parse(" "))
                .hasMessage("` `, character 1: the expression is empty");
    }

    @ParameterizedTest
    @CsvSource({
        "n + 1, 1, 9223372036854775807 + 1 is beyond the range of int64",
        "-1 - n * n, 1, 9223372036854775807 * 9223372036854775807 is beyond the range of int64",
        "-2 - n, 1, -2 - 9223372036854775807 is beyond the range of int64",
        "7 % (n - n), 0, 7 % 0 is undefined",
        "-(-1 - n), 1, -(-9223372036854775808) is beyond the range of int64",
    })
    void anOverflowNamesTheRow(String text, int row, String problem) {
        try (Table numbers = new Table().column("n", 1L, Long.MAX_VALUE, null)) {
            BoundExpression expression = Expression.parse(text).bind(numbers.schema());
            assertThatThrownBy(() -> expression.evaluate(numbers.rows(), "x", numbers.allocator()))
                    .isInstanceOf(ExpressionException.class)
                    .hasMessageEndingWith(": %s in row %d of a row group", problem, row);
        }
    }

    @Test
    void aLongTextIsShownAroundTheError() {
        String many = "age > 10" + " or age > 10".repeat(50);
        assertThatThrownBy(() -> Expression.parse(many + " or or " + many))
                .hasMessage(
                        "…`10 or age > 10 or age > 10 or or age > 10 or age > 10 or age`…,"
                                + " character 613: expected a value, but found 'or'; a column of"
                                + " this name needs double quotes");
    }

    @Test
    void controlCharactersAreShownAsEscapes() {
        assertThatThrownBy(() -> Expression.parse("a\n= \u001b"))
                .hasMessage(
                        "`a\\n= \\u001b`, character 5: the character '\\u001b' has no meaning;"
                                + " write the name of a column that contains it in double quotes");
    }

    @Test
    void deepAndLongTextsEndWithoutAnOverflowOfTheStack() throws InterruptedException {
        List<String> texts =
                List.of(
                        "(".repeat(100_000),
                        "not ".repeat(100_000) + "a",
                        "- ".repeat(100_000) + "a",
                        "coalesce(".repeat(100_000),
                        "a" + " + a".repeat(100_000),
                        "a" + " * a".repeat(100_000),
                        "(a + ".repeat(100_000),
                        "a in (1" + ", 1".repeat(100_000) + ")",
                        "a = 1" + " or a = 1".repeat(100_000),
                        "(".repeat(50) + "a" + " + a".repeat(450) + " - a)".repeat(50),
                        "'".repeat(100_001),
                        "9".repeat(1_000_000));
        Throwable[] failure = new Throwable[1];
        try (Table numbers = new Table().column("a", 0L, 1L)) {
            Runnable all = () -> texts.forEach(text -> parsesOrFails(text, numbers));
            // Half the default of a 64-bit JVM on Linux.
            Thread thread = new Thread(null, all, "small stack", 512 << 10);
            thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
            thread.start();
            thread.join();
        }
        assertThat(failure[0]).isNull();
    }

    @Test
    void anyTextParsesOrGivesOneLine() {
        String[] pieces = {
            "age",
            "fare",
            "sex",
            "survived",
            "tags",
            "(",
            ")",
            ",",
            "'",
            "\"",
            "and",
            "or",
            "not",
            "in",
            "between",
            "is",
            "null",
            "like",
            "escape",
            "true",
            "coalesce",
            "date",
            "timestamp",
            "=",
            "<",
            ">",
            "<=",
            "!",
            "-",
            "+",
            "*",
            "/",
            "%",
            ".",
            "1",
            "0.5",
            "1e9",
            "'a'",
            "'2024-01-01'",
            "\"x y\"",
            " ",
            "\n",
            "ä",
            "\uD83D\uDE00",
            "\uD83D",
            "\u0000"
        };
        Random random = new Random(13);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.nextInt(12); k >= 0; k--) {
                text.append(pieces[random.nextInt(pieces.length)]);
                text.append(random.nextInt(4) == 0 ? "" : " ");
            }
            parsesOrFails(text.toString(), table);
        }
    }

    private static void parsesOrFails(String text, Table table) {
        try (FieldVector made =
                Expression.parse(text)
                        .bind(table.schema())
                        .evaluate(table.rows(), "x", table.allocator())) {
            assertThat(made.getValueCount()).isEqualTo(2);
        } catch (ExpressionException e) {
            assertThat(e.getMessage().lines()).hasSize(1);
            assertThat(e.getMessage()).hasSizeLessThan(400).contains(", character ");
        }
    }
}
