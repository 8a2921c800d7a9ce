package io.lockstep.cli.console;

import io.lockstep.UserException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.ConfigConstants;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.plugin.PluginManager;
import org.apache.flink.core.plugin.PluginUtils;

/** Registers the file systems of Flink's plugins in this JVM, as a cluster's processes do. */
public final class FileSystems {

    /**
     * Limits of the S3 plugin if the user sets none: by its own it tries for more than eight
     * minutes before it reports an endpoint that does not answer. Times are in milliseconds.
     */
    private static final Map<String, String> S3_LIMITS =
            Map.of(
                    "s3.attempts.maximum", "2",
                    "s3.retry.limit", "3",
                    "s3.connection.establish.timeout", "10000",
                    "s3.connection.timeout", "10000");

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
        // Amazon's client of the S3 plugin would print 48 lines about its age.
        System.setProperty("aws.java.v1.disableDeprecationAnnouncement", "true");
        String plugins = System.getenv(ConfigConstants.ENV_FLINK_PLUGINS_DIR);
        if (plugins != null && Files.isDirectory(Path.of(plugins))) {
            checkPlugins(Path.of(plugins));
            PluginManager manager = PluginUtils.createPluginManagerFromRootFolder(settings);
            FileSystem.initialize(settings, manager);
        }
        return settings;
    }

    /**
     * @throws UserException if a plugin's folder has no jar
     */
    static void checkPlugins(Path plugins) {
        for (File plugin : plugins.toFile().listFiles(File::isDirectory)) {
            String[] jars = plugin.list((folder, name) -> name.endsWith(".jar"));
            if (jars == null || jars.length == 0) {
                throw new UserException(
                        "the folder "
                                + plugin
                                + " of Flink's plugins has no jar: put the plugin's jar into it, or"
                                + " remove the folder");
            }
        }
    }

    private static Configuration settings() {
        String directory = System.getenv(ConfigConstants.ENV_FLINK_CONF_DIR);
        Configuration settings =
                directory == null
                        ? new Configuration()
                        : GlobalConfiguration.loadConfiguration(directory);
        S3_LIMITS.forEach(
                (key, value) -> {
                    if (!settings.containsKey(key)) {
                        settings.setString(key, value);
                    }
                });
        return settings;
    }
}
