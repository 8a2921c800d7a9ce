package io.lockstep.cli.directories;

import io.lockstep.manifest.DirectoryLister;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Total size of all files in a directory tree.
 *
 * @param changedMillis modification time of the newest file, in milliseconds since 1970
 */
record TreeSize(long files, long bytes, long changedMillis) {

    private static final TreeSize NOTHING = new TreeSize(0, 0, 0);

    /** Ignores files that are deleted meanwhile. */
    static TreeSize of(String directory) throws IOException {
        Path path = new Path(directory);
        return of(path.getFileSystem(), path);
    }

    private static TreeSize of(FileSystem files, Path directory) throws IOException {
        TreeSize all = NOTHING;
        for (FileStatus file : list(files, directory)) {
            all =
                    all.plus(
                            file.isDir()
                                    ? of(files, file.getPath())
                                    : new TreeSize(1, file.getLen(), file.getModificationTime()));
        }
        return all;
    }

    /** The entries of a directory; empty if it was deleted. */
    static FileStatus[] list(FileSystem files, Path directory) throws IOException {
        try {
            return DirectoryLister.all(files, directory);
        } catch (FileNotFoundException e) {
            return new FileStatus[0];
        }
    }

    private TreeSize plus(TreeSize other) {
        return new TreeSize(
                files + other.files,
                bytes + other.bytes,
                Math.max(changedMillis, other.changedMillis));
    }
}
