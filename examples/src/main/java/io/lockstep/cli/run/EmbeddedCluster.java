package io.lockstep.cli.run;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.util.ExceptionUtils;

/**
 * Flink's cluster in this process, of one slot. It starts in the background while what is to run on
 * it is still being prepared; Flink's own start only waits for that.
 */
final class EmbeddedCluster extends MiniCluster {

    private final CompletableFuture<Void> started = new CompletableFuture<>();

    /** Until there is a job, with which the cluster ends. */
    private final AtExit atExit = new AtExit(this::stop);

    private EmbeddedCluster(Configuration configuration) {
        super(
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(configuration)
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(1)
                        .build());
    }

    /** Begins the start and returns; the caller closes it. */
    static EmbeddedCluster begin(Configuration configuration) {
        EmbeddedCluster cluster = new EmbeddedCluster(configuration);
        Thread thread = new Thread(cluster::startNow, "lockstep-cluster");
        thread.setDaemon(true);
        thread.start();
        return cluster;
    }

    private void startNow() {
        try {
            super.start();
            started.complete(null);
        } catch (Exception e) {
            started.completeExceptionally(e);
        }
    }

    /** Waits until the cluster has started; throws what kept it from doing so. */
    @Override
    public void start() throws Exception {
        atExit.close();
        try {
            started.get();
        } catch (ExecutionException e) {
            ExceptionUtils.rethrowException(e.getCause());
        }
    }

    /** Stops it; where it is still starting, when that is done. */
    @Override
    public void close() {
        stop();
        atExit.close();
    }

    private void stop() {
        started.exceptionally(failure -> null).join();
        closeAsync().join();
    }
}
