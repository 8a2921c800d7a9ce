package io.lockstep.manifest;

import io.lockstep.Plural;
import io.lockstep.RemoteCalls;
import io.lockstep.UserException;
import io.lockstep.footer.FileSchema;
import io.lockstep.footer.Footer;
import io.lockstep.footer.FooterReader;
import io.lockstep.footer.SchemaText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import org.apache.flink.core.fs.FileSystem;

/** Reads the footers of many files in parallel. Single use. */
final class FooterCollector {

    /** Requests to an object store take tens of milliseconds but almost no CPU time. */
    private static final int REMOTE_THREADS = 48;

    private final Map<SchemaText, FileSchema> schemas = new ConcurrentHashMap<>();
    private final FileSystem fileSystem;

    FooterCollector(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /**
     * Returns the footers in the order of the files. If several files fail, throws the failure of
     * the first file in this order, regardless of which failed first. Several files without bytes
     * are counted in one message.
     */
    List<PlannedFile> collect(List<FoundFile> files, Progress progress) throws IOException {
        checkNotEmpty(files);
        int most =
                fileSystem.isDistributedFS()
                        ? REMOTE_THREADS
                        : Runtime.getRuntime().availableProcessors();
        ExecutorService pool =
                Executors.newFixedThreadPool(Math.min(most, files.size()), daemonThreads());
        try {
            List<Future<PlannedFile>> footers = new ArrayList<>(files.size());
            files.forEach(file -> footers.add(pool.submit(() -> read(file))));
            List<PlannedFile> planned = new ArrayList<>(files.size());
            for (Future<PlannedFile> footer : footers) {
                planned.add(get(footer));
                progress.footers(planned.size(), files.size());
            }
            return planned;
        } finally {
            pool.shutdownNow();
        }
    }

    private static void checkNotEmpty(List<FoundFile> files) {
        List<FoundFile> empty = files.stream().filter(file -> file.length() == 0).toList();
        if (empty.size() > 1) {
            throw new UserException(
                    empty.get(0).path()
                            + " and "
                            + Plural.of(empty.size() - 1L, "other file")
                            + " of the dataset are empty (0 bytes); remove them or write them again.");
        }
    }

    private PlannedFile read(FoundFile file) throws IOException {
        FileIdentity identity = FileIdentity.of(fileSystem, file.path());
        Footer footer =
                RemoteCalls.call(
                        file.path(),
                        () -> FooterReader.read(fileSystem, file.path(), file.length()));
        FileSchema schema = schemas.computeIfAbsent(footer.schemaText(), text -> footer.schema());
        return PlannedFile.of(file, identity, footer, schema);
    }

    private static PlannedFile get(Future<PlannedFile> footer) throws IOException {
        try {
            return footer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while footers were read");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IOException("a footer could not be read", e.getCause());
        }
    }

    private static ThreadFactory daemonThreads() {
        return task -> {
            Thread thread = new Thread(task, "lockstep-footers");
            thread.setDaemon(true);
            return thread;
        };
    }
}
