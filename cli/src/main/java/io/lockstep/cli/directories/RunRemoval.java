package io.lockstep.cli.directories;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Deletes what Lockstep writes into a run directory, and the directory if it is then empty. */
final class RunRemoval {

    /** Settings and streams are deleted last: without them it is no longer a run directory. */
    private static final List<String> LAST = List.of("run.lock", "streams", "run.yaml");

    private static final Set<String> WRITTEN =
            Set.of(
                    "checkpoints",
                    "commits",
                    "damage",
                    "digests",
                    "heartbeat.json",
                    "job.json",
                    "log",
                    "logs",
                    "manifests",
                    "sinks",
                    "token",
                    "trainers");

    private final Path root;

    RunRemoval(String root) {
        this.root = new Path(root);
    }

    /** Returns the names of the remaining entries. */
    List<String> remove() throws IOException {
        FileSystem files = root.getFileSystem();
        List<String> left = new ArrayList<>();
        for (FileStatus file : TreeSize.list(files, root)) {
            String name = file.getPath().getName();
            if (WRITTEN.contains(name) || isAside(name)) {
                files.delete(file.getPath(), true);
            } else if (!LAST.contains(name)) {
                left.add(name);
            }
        }
        for (String name : LAST) {
            Path path = new Path(root, name);
            if (files.exists(path)) {
                files.delete(path, true);
            }
        }
        if (left.isEmpty()) {
            files.delete(root, false);
        }
        return left;
    }

    /** A temporary file that was never renamed to its final name. */
    private static boolean isAside(String name) {
        return name.startsWith(".run.yaml.")
                || name.startsWith(".job.json.")
                || name.startsWith(".token.");
    }
}
