package io.lockstep.cli.launcher;

import java.io.IOException;
import java.util.List;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of one rank: written to a file in the run directory, its last lines kept in memory. A
 * log that cannot be written never blocks a trainer. Thread-safe.
 */
final class RankLog implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RankLog.class);

    private static final int LINES = 20;

    private final Path path;
    private final TailLines tail = new TailLines(LINES);
    private FSDataOutputStream out;

    private RankLog(Path path) {
        this.path = path;
    }

    static RankLog create(Path path) {
        RankLog log = new RankLog(path);
        try {
            log.out = path.getFileSystem().create(path, FileSystem.WriteMode.OVERWRITE);
        } catch (IOException e) {
            LOG.warn("cannot write {}", path, e);
        }
        return log;
    }

    Path path() {
        return path;
    }

    List<String> lastLines() {
        return tail.lines();
    }

    synchronized void write(byte[] bytes, int length) {
        tail.add(bytes, length);
        if (out == null) {
            return;
        }
        try {
            out.write(bytes, 0, length);
            out.flush();
        } catch (IOException e) {
            LOG.warn("cannot write {} any further", path, e);
            close();
        }
    }

    @Override
    public synchronized void close() {
        if (out != null) {
            try {
                out.close();
            } catch (IOException e) {
                LOG.warn("cannot finish {}", path, e);
            }
            out = null;
        }
    }
}
