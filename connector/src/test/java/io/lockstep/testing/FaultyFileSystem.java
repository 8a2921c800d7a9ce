package io.lockstep.testing;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * Local files under a scheme of their own, on a file system that tests can have fail, stall, or
 * refuse to rename onto a file as HDFS does. Each authority is a file system of its own.
 */
public final class FaultyFileSystem extends LocalFileSystem {

    private static final String SCHEME = "faulty";

    /** How the file system behaves. */
    public enum Mode {
        HEALTHY,
        /** Every change fails. */
        READ_ONLY,
        /** Every change ends in an {@link Error}. */
        BROKEN,
        /** Every operation blocks until the mode changes, or its thread is interrupted. */
        STALLED,
        /** The same, but no interruption helps, as with a mount that is gone. */
        HUNG
    }

    /** The switch of one file system, and what it was asked to do. */
    public static final class Control {

        private final String authority = "t" + UUID.randomUUID();
        private final List<String> changes = new ArrayList<>();
        private Mode mode = Mode.HEALTHY;
        private int blocked;

        /** The URI of a local path on this file system. */
        public String uri(java.nio.file.Path path) {
            return SCHEME + "://" + authority + path.toAbsolutePath();
        }

        /** Sets the mode; operations that stall go on as it says. */
        public synchronized void set(Mode now) {
            mode = now;
            notifyAll();
        }

        /** Renames and deletions so far, in order. */
        public synchronized List<String> changes() {
            return List.copyOf(changes);
        }

        /** Waits until an operation is blocked. */
        public synchronized void awaitBlocked() throws InterruptedException {
            while (blocked == 0) {
                wait();
            }
        }

        private synchronized void pass(String change) throws IOException {
            boolean interrupted = false;
            blocked++;
            notifyAll();
            while (mode == Mode.HUNG || mode == Mode.STALLED && !interrupted) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            blocked--;
            if (interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while the file system stalled");
            }
            if (change != null) {
                if (mode == Mode.READ_ONLY) {
                    throw new IOException("Read-only file system");
                }
                if (mode == Mode.BROKEN) {
                    throw new InternalError("broken file system");
                }
                changes.add(change);
            }
        }
    }

    private static final Map<String, Control> CONTROLS = new ConcurrentHashMap<>();

    private final URI uri;
    private final Control control;

    private FaultyFileSystem(URI uri) {
        this.uri = URI.create(SCHEME + "://" + uri.getAuthority() + "/");
        this.control = CONTROLS.get(uri.getAuthority());
    }

    /** A new, healthy file system. */
    public static Control create() {
        Control control = new Control();
        CONTROLS.put(control.authority, control);
        return control;
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        control.pass(null);
        return new Located(super.getFileStatus(path), located(path));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        control.pass(null);
        FileStatus[] entries = super.listStatus(path);
        for (int i = 0; entries != null && i < entries.length; i++) {
            entries[i] = new Located(entries[i], located(entries[i].getPath()));
        }
        return entries;
    }

    /** With this file system's authority, which local paths do not have. */
    private Path located(Path path) {
        return new Path(SCHEME, uri.getAuthority(), path.getPath());
    }

    private record Located(FileStatus status, Path path) implements FileStatus {

        @Override
        public long getLen() {
            return status.getLen();
        }

        @Override
        public long getBlockSize() {
            return status.getBlockSize();
        }

        @Override
        public short getReplication() {
            return status.getReplication();
        }

        @Override
        public long getModificationTime() {
            return status.getModificationTime();
        }

        @Override
        public long getAccessTime() {
            return status.getAccessTime();
        }

        @Override
        public boolean isDir() {
            return status.isDir();
        }

        @Override
        public Path getPath() {
            return path;
        }
    }

    @Override
    public boolean exists(Path path) throws IOException {
        control.pass(null);
        return super.exists(path);
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
        control.pass(null);
        return super.open(path);
    }

    @Override
    public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
        control.pass("create " + path.getName());
        return super.create(path, mode);
    }

    @Override
    public boolean mkdirs(Path path) throws IOException {
        control.pass("mkdirs " + path.getName());
        return super.mkdirs(path);
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        control.pass("rename " + from.getName() + " " + to.getName());
        return !super.exists(to) && super.rename(from, to);
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        control.pass("delete " + path.getName());
        return super.delete(path, recursive);
    }

    /** Found by Flink on the tests' class path. */
    public static final class Factory implements FileSystemFactory {

        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new FaultyFileSystem(uri);
        }
    }
}
