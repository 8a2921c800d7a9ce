package io.lockstep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests counts in messages. */
class PluralTest {

    @ParameterizedTest
    @CsvSource({"0, 0 rows", "1, 1 row", "2, 2 rows", "1234, '1,234 rows'"})
    void agreesWithItsNoun(long number, String text) {
        assertThat(Plural.of(number, "row")).isEqualTo(text);
    }
}
