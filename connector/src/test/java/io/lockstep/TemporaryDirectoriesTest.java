package io.lockstep;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.source.CacheSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that users of one machine get separate directories. */
class TemporaryDirectoriesTest {

    private static final Path SHARED = Path.of("/scratch");

    @ParameterizedTest
    @CsvSource({
        "ada, lockstep-cache-ada",
        "ada.l-b_2, lockstep-cache-ada.l-b_2",
        "LAB\\ada, lockstep-cache-LAB_ada",
        "../ada, lockstep-cache-.._ada",
        "?, lockstep-cache-_"
    })
    void namesTheUserInOneFileName(String user, String name) {
        assertThat(TemporaryDirectories.of(SHARED, "cache", user)).isEqualTo(SHARED.resolve(name));
    }

    @Test
    void theCacheIsTheUsersByDefault() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));

        assertThat(Path.of(CacheSettings.defaults().directory()))
                .isEqualTo(
                        TemporaryDirectories.of(
                                temporary, "cache", System.getProperty("user.name")));
    }
}
