package io.lockstep.transform.python;

import io.lockstep.TemporaryDirectories;
import io.lockstep.ownership.OwnedFiles;
import io.lockstep.ownership.OwnerOnly;
import io.lockstep.python.PythonCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The functions' modules and the sockets of workers, in a temporary directory of the user alone. If
 * the process is killed, the next one removes them.
 */
final class WorkerFolder implements AutoCloseable {

    /** A socket's path has at most 107 bytes, of which the names here take up to 60. */
    private static final int MAX_PARENT = 47;

    private static final Path SHORT = Path.of("/tmp");

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final OwnedFiles files;

    private WorkerFolder(OwnedFiles files) {
        this.files = files;
    }

    /** Creates it with these modules. */
    static WorkerFolder create(PythonCode code) throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Path common = TemporaryDirectories.ofUser(temporary, "python");
        if (common.toString().length() > MAX_PARENT) {
            common = TemporaryDirectories.ofUser(SHORT, "python");
        }
        OwnerOnly.ensureDirectory(common);
        OwnedFiles.sweep(common);
        OwnedFiles files = OwnedFiles.claim(common, Integer.toString(COUNT.incrementAndGet()));
        WorkerFolder folder = new WorkerFolder(files);
        try {
            Files.createDirectory(folder.code());
            code.writeTo(folder.code());
            return folder;
        } catch (Throwable t) {
            folder.close();
            throw t;
        }
    }

    /** The folder that modules are imported from. */
    Path code() {
        return files.resolve("-code");
    }

    /** The path of a worker's socket. */
    Path socket(int worker) {
        return files.resolve("-w" + worker);
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
