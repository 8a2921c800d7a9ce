package io.lockstep.manifest;

import io.lockstep.FileSystemOf;
import io.lockstep.RemoteCalls;
import io.lockstep.UserException;
import io.lockstep.WrongUseException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/** Finds the files that one entry of {@code data} refers to: a directory, a pattern or a file. */
final class FileFinder {

    private static final Pattern PARQUET =
            Pattern.compile("[.](parquet|parq|pq)$", Pattern.CASE_INSENSITIVE);

    /**
     * The files found.
     *
     * @param root the directory to which paths are relative
     * @param skipped files beside Parquet files whose names do not end as those do
     */
    record Found(Path root, List<FoundFile> files, List<FoundFile> skipped) {

        /** Skips other files if any has the name of a Parquet file. */
        static Found of(Path root, List<FoundFile> all) {
            Map<Boolean, List<FoundFile>> byName =
                    all.stream().collect(Collectors.partitioningBy(Found::hasParquetName));
            return byName.get(true).isEmpty()
                    ? new Found(root, all, List.of())
                    : new Found(root, byName.get(true), byName.get(false));
        }

        private static boolean hasParquetName(FoundFile file) {
            return PARQUET.matcher(file.name()).find();
        }
    }

    private FileFinder() {}

    static Found find(String data) throws IOException {
        Path path = path(data);
        FileSystem fileSystem = FileSystemOf.path(path);
        Path qualified = path.makeQualified(fileSystem);
        FileStatus status = status(fileSystem, qualified);
        if (status == null) {
            if (Glob.isPattern(data)) {
                return glob(fileSystem, qualified, data);
            }
            SymbolicLinks.checkTarget(fileSystem, qualified);
            throw new UserException(
                    "There is nothing at "
                            + qualified
                            + "; name a directory, a file or a pattern that exists.");
        }
        if (!status.isDir()) {
            return new Found(qualified.getParent(), List.of(FoundFile.of(status)), List.of());
        }
        List<FoundFile> files = new ArrayList<>();
        walk(fileSystem, qualified, files);
        if (files.isEmpty()) {
            throw new UserException(
                    "The directory "
                            + qualified
                            + " holds no files (names that begin with _ or . do not count);"
                            + " name a directory with Parquet files.");
        }
        return Found.of(qualified, files);
    }

    private static Found glob(FileSystem fileSystem, Path pattern, String data) throws IOException {
        String text = pattern.toUri().getPath();
        String baseName = Glob.base(text);
        Path base = new Path(pattern.toUri().getScheme(), pattern.toUri().getAuthority(), baseName);
        FileStatus status = status(fileSystem, base);
        List<FoundFile> files = new ArrayList<>();
        if (status != null && status.isDir()) {
            match(fileSystem, base, "", Glob.compile(text.substring(baseName.length())), files);
        }
        if (files.isEmpty()) {
            throw new UserException(
                    "No file matches "
                            + data
                            + " (names that begin with _ or . do not count); correct the pattern.");
        }
        return Found.of(base, files);
    }

    /**
     * Adds the matches of a pattern: files, and directories with everything below them. Does not
     * list directories below which nothing can match.
     *
     * @param prefix the prefix of names in the directory, relative to the base of the pattern
     */
    private static void match(
            FileSystem fileSystem,
            Path directory,
            String prefix,
            Pattern regex,
            List<FoundFile> files)
            throws IOException {
        SymbolicLinks.checkLoop(fileSystem, directory);
        for (FileStatus entry : DirectoryLister.list(fileSystem, directory)) {
            String name = prefix + entry.getPath().getName();
            boolean matches = regex.matcher(name).matches();
            if (!entry.isDir()) {
                if (matches) {
                    files.add(FoundFile.of(entry));
                }
            } else if (matches) {
                walk(fileSystem, entry.getPath(), files);
            } else if (Glob.canMatchBelow(regex, name + "/")) {
                match(fileSystem, entry.getPath(), name + "/", regex, files);
            }
        }
    }

    /** Returns the file's path relative to a directory. */
    static String below(Path directory, FoundFile file) {
        String prefix = directory.toUri().getPath();
        return file.name().substring(prefix.endsWith("/") ? prefix.length() : prefix.length() + 1);
    }

    private static void walk(FileSystem fileSystem, Path directory, List<FoundFile> files)
            throws IOException {
        SymbolicLinks.checkLoop(fileSystem, directory);
        for (FileStatus entry : DirectoryLister.list(fileSystem, directory)) {
            if (entry.isDir()) {
                walk(fileSystem, entry.getPath(), files);
            } else {
                files.add(FoundFile.of(entry));
            }
        }
    }

    private static Path path(String data) {
        if (data.indexOf('\\') >= 0) {
            throw new WrongUseException(
                    "\""
                            + data
                            + "\" has a backslash, which Flink's file systems take for a '/'; write '/'"
                            + " between directories, or rename what has it in its name.");
        }
        try {
            return new Path(data);
        } catch (IllegalArgumentException e) {
            throw new WrongUseException(
                    "\"" + data + "\" is not a path (" + e.getMessage() + "); correct it.", e);
        }
    }

    private static FileStatus status(FileSystem fileSystem, Path path) throws IOException {
        try {
            return RemoteCalls.call(path, () -> fileSystem.getFileStatus(path));
        } catch (FileNotFoundException e) {
            return null;
        }
    }
}
