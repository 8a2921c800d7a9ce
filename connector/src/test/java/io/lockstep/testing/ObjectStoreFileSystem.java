package io.lockstep.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.DefaultPluginManager;
import org.apache.flink.core.plugin.DirectoryBasedPluginFinder;
import org.apache.flink.core.plugin.PluginManager;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has {@code s3://} lead through Flink's plugin for S3 to a store of each test's own. For tests of
 * a module whose build copies the plugin to {@code target/plugins}.
 */
public final class ObjectStoreFileSystem implements BeforeEachCallback, AfterEachCallback {

    private Path directory;
    private TestObjectStore store;

    public TestObjectStore store() {
        return store;
    }

    /** The files of this directory are the objects of every bucket. */
    public Path directory() {
        return directory;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        directory = Files.createTempDirectory("objects");
        store = new TestObjectStore(directory);
        Configuration configuration = new Configuration();
        configuration.setString("s3.endpoint", store.endpoint());
        configuration.setString("s3.path.style.access", "true");
        configuration.setString("s3.access-key", "key");
        configuration.setString("s3.secret-key", "secret");
        configuration.setString("s3.endpoint.region", "us-east-1");
        configuration.setString("s3.experimental.input.fadvise", "random");
        PluginManager plugins =
                new DefaultPluginManager(
                        new DirectoryBasedPluginFinder(Path.of("target/plugins")).findPlugins(),
                        CoreOptions.getPluginParentFirstLoaderPatterns(configuration));
        FileSystem.initialize(configuration, plugins);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        FileSystem.initialize(new Configuration(), null);
        store.close();
        FileUtils.deleteDirectory(directory.toFile());
    }
}
