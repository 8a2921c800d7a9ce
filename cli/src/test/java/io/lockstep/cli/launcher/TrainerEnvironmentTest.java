package io.lockstep.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the ranks find in their environment. */
class TrainerEnvironmentTest {

    @Test
    void trainersHaveTheLocaleOfTheUser() {
        assertThat(restored(Map.of("LC_ALL", "C.UTF-8", "LOCKSTEP_LC_ALL", "C")))
                .isEqualTo(Map.of("LC_ALL", "C"));
        assertThat(restored(Map.of("LC_ALL", "C.UTF-8", "LOCKSTEP_LC_ALL", ""))).isEmpty();
        assertThat(restored(Map.of("LC_ALL", "de_DE.UTF-8")))
                .isEqualTo(Map.of("LC_ALL", "de_DE.UTF-8"));
    }

    private static Map<String, String> restored(Map<String, String> environment) {
        Map<String, String> own = new HashMap<>(environment);
        TrainerEnvironment.restoreLocale(own);
        return own;
    }
}
