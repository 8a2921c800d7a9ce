package io.lockstep.source.reader;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.lockstep.UserException;
import io.lockstep.run.RunDirectory;
import io.lockstep.source.CacheSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default cache directory, whose name other users can predict. */
class SharedStoresTest {

    private static final String TEMPORARY = "java.io.tmpdir";
    private static final int ANOTHER_USER = 12345;

    @TempDir private Path shared;

    private String temporary;
    private Path cache;

    @BeforeEach
    void putTheDefaultDirectoryIntoASharedOne() {
        temporary = System.setProperty(TEMPORARY, shared.toString());
        cache = Path.of(CacheSettings.defaults().directory());
    }

    @AfterEach
    void putItBack() {
        System.setProperty(TEMPORARY, temporary);
    }

    @Test
    void aDefaultDirectoryThatIsALinkIsRefused() throws IOException {
        Files.createSymbolicLink(cache, Files.createDirectory(shared.resolve("elsewhere")));
        assertRefused("is a symbolic link");
    }

    @Test
    void aDefaultDirectoryOfAnotherUserIsRefused() throws IOException {
        Files.createDirectory(cache);
        assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid")).isEqualTo(0);
        Files.setAttribute(cache, "unix:uid", ANOTHER_USER);
        assertRefused("belongs to the user " + ANOTHER_USER);
    }

    private void assertRefused(String reason) {
        RunDirectory run = new RunDirectory(shared.resolve("run").toString());
        assertThatThrownBy(() -> SharedStores.hold(run, CacheSettings.defaults()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("the cache directory " + cache + " " + reason)
                .hasMessageContaining("set cache.directory to a directory of your own");
    }
}
