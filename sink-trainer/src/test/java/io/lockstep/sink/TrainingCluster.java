package io.lockstep.sink;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test its own in-process Flink cluster ({@link MiniCluster}) and a job for it ({@link
 * TestJob}), not started yet; both end with the test.
 */
final class TrainingCluster implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private final int taskManagers;
    private final int slots;
    private final Configuration configuration;
    private Path directory;
    private MiniCluster cluster;
    private TestJob job;

    /**
     * @param slots of each task manager
     */
    TrainingCluster(int taskManagers, int slots) {
        this(taskManagers, slots, new Configuration());
    }

    TrainingCluster(int taskManagers, int slots, Configuration configuration) {
        this.taskManagers = taskManagers;
        this.slots = slots;
        this.configuration = configuration;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        directory = Files.createTempDirectory("training");
        cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setNumTaskManagers(taskManagers)
                                .setNumSlotsPerTaskManager(slots)
                                .setConfiguration(configuration)
                                .withRandomPorts()
                                .build());
        cluster.start();
        job = TestJob.over(directory, cluster);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        try {
            cluster.close();
        } finally {
            FileUtils.deleteDirectory(directory.toFile());
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestJob.class || type == MiniCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestJob.class ? job : cluster;
    }
}
