package io.lockstep.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.manifest.TypeNames;
import io.lockstep.testing.TestPython;
import io.lockstep.transform.Table;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

/** Types and values of arithmetic without nulls are those of NumPy 2. */
class NumpyArithmeticTest {

    private static final List<String> TEXTS =
            List.of(
                    "f * 2.5",
                    "f + 1",
                    "f / 3",
                    "f % 0.7",
                    "f % -0.7",
                    "-f - 0.1",
                    "f * f + f",
                    "f * 0.1 + 1 / 3",
                    "f + d",
                    "f * n",
                    "f / n",
                    "f % n",
                    "n + 1",
                    "n * 3 - n",
                    "n / 2",
                    "n / 3",
                    "n % 4",
                    "n % -4",
                    "-n",
                    "n * 0.5",
                    "n - d",
                    "n % 0.3",
                    "d / 0",
                    "d % 0.3",
                    "d % -0.3",
                    "d % 0",
                    "d * d",
                    "0.1 * 3 - d",
                    "f == 0.1",
                    "f < 0.1",
                    "f >= 16777217",
                    "n == 0.5",
                    "n <= 7",
                    "n != d",
                    "d != d",
                    "d == d",
                    "d < 0",
                    "d > f",
                    "1 <= n");

    private static final String SCRIPT =
            """
            import sys
            import numpy as np
            np.seterr(all="ignore")
            nan, inf = np.nan, np.inf
            f = np.array([0.1, 3, nan, inf, -inf, -2.5, 0.0, -0.0, 16777216], np.float32)
            n = np.array([7, -7, 0, 1, -1, 2**40, -2**31 + 1, 5, 3], np.int64)
            d = np.array([0.1, 5.5, nan, -inf, inf, -0.0, 1e300, 0.3, -7.25], np.float64)
            for text in sys.argv[1:]:
                value = eval(text)
                numbers = " ".join(float(v).hex() for v in value)
                print(f"{text}: {value.dtype} {numbers}")
            """;

    @Test
    void typesAndValuesAreThoseOfNumpy() throws Exception {
        double nan = Double.NaN;
        double inf = Double.POSITIVE_INFINITY;
        try (Table table = new Table()) {
            table.column(
                    "f",
                    0.1f,
                    3f,
                    (float) nan,
                    (float) inf,
                    (float) -inf,
                    -2.5f,
                    0f,
                    -0f,
                    16777216f);
            table.column("n", 7L, -7L, 0L, 1L, -1L, 1L << 40, 1L - (1L << 31), 5L, 3L);
            table.column("d", 0.1, 5.5, nan, -inf, inf, -0.0, 1e300, 0.3, -7.25);
            String expected = TestPython.run(SCRIPT, TEXTS.toArray(String[]::new));
            assertThat(TEXTS.stream().map(text -> text + ": " + computed(table, text)).toList())
                    .containsExactlyElementsOf(
                            expected.lines().map(NumpyArithmeticTest::java).toList());
        }
    }

    private static String computed(Table table, String text) {
        try (FieldVector made =
                Expression.parse(text)
                        .bind(table.schema())
                        .evaluate(table.rows(), "made", table.allocator())) {
            StringBuilder line = new StringBuilder(TypeNames.of(made.getField()));
            for (Object value : Table.values(new VectorSchemaRoot(List.of(made)), "made")) {
                double number =
                        value instanceof Boolean condition
                                ? condition ? 1 : 0
                                : ((Number) value).doubleValue();
                line.append(' ').append(Double.toHexString(number));
            }
            return line.toString();
        }
    }

    /** Writes Python's hexadecimal numbers as Java does. */
    private static String java(String line) {
        String numbers = line.substring(line.indexOf(':') + 2);
        StringBuilder text = new StringBuilder(line.substring(0, line.indexOf(':') + 2));
        String[] parts = numbers.split(" ");
        text.append(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            double number =
                    switch (parts[i]) {
                        case "nan" -> Double.NaN;
                        case "inf" -> Double.POSITIVE_INFINITY;
                        case "-inf" -> Double.NEGATIVE_INFINITY;
                        default -> Double.parseDouble(parts[i]);
                    };
            text.append(' ').append(Double.toHexString(number));
        }
        return text.toString();
    }
}
