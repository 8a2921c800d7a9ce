package io.lockstep.cli.console;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flink's plugins. */
class FileSystemsTest {

    @TempDir Path plugins;

    @Test
    void aPluginWithoutAJarIsNamed() throws Exception {
        Files.createFile(Files.createDirectories(plugins.resolve("gs")).resolve("gs.jar"));
        FileSystems.checkPlugins(plugins);
        Path empty = Files.createDirectories(plugins.resolve("s3-fs-hadoop"));

        assertThatThrownBy(() -> FileSystems.checkPlugins(plugins))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("the folder " + empty + " of Flink's plugins has no jar");
    }
}
