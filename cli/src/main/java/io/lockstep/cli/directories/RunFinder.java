package io.lockstep.cli.directories;

import io.lockstep.cli.data.PastRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Finds the run directories in a directory, which may be one itself. */
final class RunFinder {

    private final List<String> found = new ArrayList<>();

    private RunFinder() {}

    /**
     * Their paths, in the form of the directory's, sorted. Skips directories whose names start with
     * a dot, and does not descend into runs.
     */
    static List<String> find(String directory) throws IOException {
        RunFinder finder = new RunFinder();
        finder.search(directory, new Path(directory).getFileSystem());
        return finder.found;
    }

    private void search(String directory, FileSystem files) throws IOException {
        if (PastRun.isAt(directory)) {
            found.add(directory);
            return;
        }
        FileStatus[] inside = TreeSize.list(files, new Path(directory));
        Arrays.sort(inside, Comparator.comparing(file -> file.getPath().getName()));
        for (FileStatus file : inside) {
            String name = file.getPath().getName();
            if (file.isDir() && !name.startsWith(".")) {
                search(directory + (directory.endsWith("/") ? "" : "/") + name, files);
            }
        }
    }
}
