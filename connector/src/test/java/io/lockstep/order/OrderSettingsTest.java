package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Defaults, and settings as text. */
class OrderSettingsTest {

    @ParameterizedTest
    @CsvSource({"1,1", "7,7", "64,64", "100,50", "96,48", "97,1", "4096,64", "2147483647,1"})
    void defaultLanesAreTheLargestDivisorOfTheBatchUpTo64(int batch, int lanes) {
        assertThat(OrderSettings.defaultLanes(batch)).isEqualTo(lanes);
    }

    @ParameterizedTest
    @CsvSource({"1,128", "3,43", "48,3", "64,2", "127,2", "128,1", "129,1", "2147483647,1"})
    void defaultWindowIsTheLeastThatMixes128Slices(int lanes, int window) {
        assertThat(OrderSettings.defaultWindow(lanes)).isEqualTo(window);
    }

    @Test
    void worldSizesDivideTheLanes() {
        assertThat(new OrderSettings(0, 36, 36, 1, Shuffle.LANE, Tail.DROP).worldSizes())
                .containsExactly(1, 2, 3, 4, 6, 9, 12, 18, 36);
        assertThat(new OrderSettings(0, 1, 36, 1, Shuffle.LANE, Tail.DROP).worldSizes())
                .containsExactly(1);
    }

    @Test
    void settingsAreWrittenByNameAndReadBack() {
        OrderSettings settings = new OrderSettings(-1, 16, 4096, 8, Shuffle.GLOBAL, Tail.PAD);
        Map<String, String> written = settings.toMap();
        assertThat(written.toString())
                .isEqualTo(
                        "{seed=18446744073709551615, lanes=16, batch=4096, window=8, shuffle=global,"
                                + " tail=pad}");
        assertThat(OrderSettings.parse(written)).isEqualTo(settings);
    }

    @Test
    void whatIsNotSaidHasADefault() {
        assertThat(OrderSettings.parse(Map.of("batch", "4096")))
                .isEqualTo(new OrderSettings(0, 64, 4096, 2, Shuffle.LANE, Tail.DROP));
        assertThat(OrderSettings.parse(Map.of("batch", "4096", "lanes", "8")))
                .isEqualTo(new OrderSettings(0, 8, 4096, 16, Shuffle.LANE, Tail.DROP));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lanes|x|lanes is 'x': it must be a whole number of at least 1",
                "seed|-1|seed is '-1': it must be a whole number from 0 to 2^64 - 1",
                "seed|18446744073709551616"
                        + "|seed is '18446744073709551616': it must be a whole number from 0 to 2^64 - 1",
                "shuffle|GLOBAL|shuffle is 'GLOBAL': it must be one of none, lane, global",
                "tail|keep|tail is 'keep': it must be one of drop, pad",
                "sed|7|the order has no setting 'sed': it has seed, lanes, batch, window, shuffle, tail",
            })
    void valuesThatAreNoneAreRefused(String name, String value, String message) {
        assertThatExceptionOfType(OrderException.class)
                .isThrownBy(() -> OrderSettings.parse(Map.of("batch", "16", name, value)))
                .withMessage(message);
    }

    @Test
    void aBatchMustBeSaid() {
        assertThatExceptionOfType(OrderException.class)
                .isThrownBy(() -> OrderSettings.parse(Map.of("seed", "7")))
                .withMessage("batch is not set: it must be, there is no default");
    }
}
