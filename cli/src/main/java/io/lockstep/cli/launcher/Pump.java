package io.lockstep.cli.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies a process's output to its log and to a terminal as it is written. */
final class Pump implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Pump.class);

    private final InputStream from;
    private final RankLog log;
    private final OutputStream terminal;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    private Pump(InputStream from, RankLog log, OutputStream terminal) {
        this.from = from;
        this.log = log;
        this.terminal = terminal;
    }

    /**
     * Starts copying on a new thread.
     *
     * @param terminal receives the same bytes
     * @return completes when the output has ended
     */
    static CompletableFuture<Void> start(
            String name, InputStream from, RankLog log, OutputStream terminal) {
        Pump pump = new Pump(from, log, terminal);
        Thread thread = new Thread(pump, name);
        thread.setDaemon(true);
        thread.start();
        return pump.drained;
    }

    @Override
    public void run() {
        byte[] buffer = new byte[8192];
        try (from) {
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                log.write(buffer, n);
                terminal.write(buffer, 0, n);
                terminal.flush();
            }
        } catch (IOException e) {
            LOG.debug("the output of {} broke off", log.path(), e);
        } finally {
            drained.complete(null);
        }
    }
}
