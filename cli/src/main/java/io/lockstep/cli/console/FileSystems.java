package io.lockstep.cli.console;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginManager;
import org.apache.flink.core.plugin.PluginUtils;

/** Registers the file systems of Flink's plugins in this JVM, as a cluster's processes do. */
public final class FileSystems {

    private static Configuration loaded;

    private FileSystems() {}

    /**
     * Loads the plugins of {@code FLINK_PLUGINS_DIR}, with the settings of {@code FLINK_CONF_DIR}.
     * Does nothing if neither is set; local files need no plugin. Idempotent.
     *
     * @return the settings; the caller may add to them
     */
    public static synchronized Configuration load() {
        if (loaded == null) {
            loaded = loadNow();
        }
        return new Configuration(loaded);
    }

    private static Configuration loadNow() {
        Configuration settings = settings();
        String plugins = System.getenv(ConfigConstants.ENV_FLINK_PLUGINS_DIR);
        if (plugins != null && Files.isDirectory(Path.of(plugins))) {
            PluginManager manager = PluginUtils.createPluginManagerFromRootFolder(settings);
            FileSystem.initialize(settings, manager);
        }
        return settings;
    }

    private static Configuration settings() {
        String directory = System.getenv(ConfigConstants.ENV_FLINK_CONF_DIR);
        return directory == null
                ? new Configuration()
                : GlobalConfiguration.loadConfiguration(directory);
    }
}
