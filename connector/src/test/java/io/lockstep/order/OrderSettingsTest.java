package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests defaults and the text form of settings. */
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
    void settingsAreWrittenByName() {
        OrderSettings settings = new OrderSettings(-1, 16, 4096, 8, Shuffle.GLOBAL, Tail.PAD);
        Map<String, String> written = settings.toMap();
        assertThat(written.toString())
                .isEqualTo(
                        "{seed=18446744073709551615, lanes=16, batch=4096, window=8, shuffle=global,"
                                + " tail=pad}");
    }
}
