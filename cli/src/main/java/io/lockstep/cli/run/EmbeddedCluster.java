package io.lockstep.cli.run;

import io.lockstep.Futures;
import io.lockstep.TemporaryDirectories;
import io.lockstep.UserException;
import io.lockstep.ownership.ForeignDirectoryException;
import io.lockstep.ownership.OwnedDirectory;
import io.lockstep.ownership.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flink's mini cluster in this process, with one slot. It starts in the background while the run is
 * being prepared; submitting a job waits for it.
 *
 * <p>Its temporary files are in a directory of its own. Flink's shutdown takes up to one tick of
 * its timers, so nothing waits for it: the directory is deleted immediately, and once more when the
 * process exits, which usually happens first.
 */
final class EmbeddedCluster extends MiniCluster {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCluster.class);

    /**
     * All of the cluster's ports are local. Tasks would resolve the blob server by host name, which
     * may lead to another address, so nothing is offloaded to it.
     */
    private static final String LOOPBACK = "127.0.0.1";

    private final OwnedDirectory temporary;
    private final CompletableFuture<Void> started = new CompletableFuture<>();

    /** For a process that exits before the cluster has stopped. */
    private final AtExit atExit = new AtExit(this::delete);

    private EmbeddedCluster(Configuration configuration, OwnedDirectory temporary) {
        super(
                new MiniClusterConfiguration.Builder()
                        .setConfiguration(configuration)
                        .setNumTaskManagers(1)
                        .setNumSlotsPerTaskManager(1)
                        .build());
        this.temporary = temporary;
    }

    /**
     * Starts the cluster in the background; the caller closes it.
     *
     * @throws UncheckedIOException if no temporary directory can be created
     * @throws UserException if the directory belongs to another user
     */
    static EmbeddedCluster begin(Configuration configuration) {
        Configuration own = new Configuration(configuration);
        OwnedDirectory temporary = temporaryDirectory(configuration);
        own.set(CoreOptions.TMP_DIRS, temporary.path().toString());
        own.set(WebOptions.TMP_DIR, temporary.path().toString());
        own.set(RestOptions.BIND_ADDRESS, LOOPBACK);
        own.set(JobManagerOptions.BIND_HOST, LOOPBACK);
        own.set(BlobServerOptions.OFFLOAD_MINSIZE, Integer.MAX_VALUE);
        EmbeddedCluster cluster = new EmbeddedCluster(own, temporary);
        Thread thread = new Thread(cluster::startNow, "lockstep-cluster");
        thread.setDaemon(true);
        thread.start();
        return cluster;
    }

    /** In the first of Flink's configured temporary directories, with one directory per user. */
    private static OwnedDirectory temporaryDirectory(Configuration configuration) {
        Path parent = Path.of(configuration.get(CoreOptions.TMP_DIRS).split("[,|:]")[0]);
        Path common = TemporaryDirectories.ofUser(parent, "flink");
        try {
            OwnerOnly.ensureDirectory(common);
            return OwnedDirectory.open(common);
        } catch (ForeignDirectoryException e) {
            throw new UserException(
                    "the directory for temporary files "
                            + common
                            + " "
                            + e.getReason()
                            + ": remove it, or set io.tmp.dirs to another directory",
                    e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a directory in " + common, e);
        }
    }

    private void startNow() {
        try {
            super.start();
            started.complete(null);
        } catch (Throwable t) {
            started.completeExceptionally(t);
        }
    }

    /** Waits until the cluster has started; throws if the start failed. */
    @Override
    public void start() throws Exception {
        try {
            started.get();
        } catch (ExecutionException e) {
            ExceptionUtils.rethrowException(e.getCause());
        }
    }

    /** Stops the cluster in the background and deletes its files. Idempotent. */
    @Override
    public void close() {
        Futures.onFailure(
                started.exceptionally(failure -> null)
                        .thenCompose(done -> closeAsync())
                        .whenComplete(
                                (closed, failure) -> {
                                    delete();
                                    atExit.close();
                                }),
                failure -> LOG.warn("The embedded Flink cluster did not stop cleanly", failure));
        delete();
    }

    private void delete() {
        try {
            temporary.close();
        } catch (IOException e) {
            LOG.debug("{} cannot be deleted yet", temporary.path(), e);
        }
    }
}
