package io.lockstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the search for similar names. */
class NearestTest {

    private static final List<String> KNOWN = List.of("label", "features", "f00", "f01");

    @ParameterizedTest
    @CsvSource({"lable, label", "Features, features", "f1, f01", "feature, features", "f0, f00"})
    void findsWhatWasMeant(String name, String meant) {
        assertThat(Nearest.of(name, KNOWN)).isEqualTo(meant);
    }

    @Test
    void findsNothingSimilar() {
        assertThat(Nearest.of("weight", KNOWN)).isNull();
        assertThat(Nearest.suggestion("weight", KNOWN)).isEmpty();
        assertThat(Nearest.suggestion("lable", KNOWN)).isEqualTo(" Did you mean \"label\"?");
    }
}
