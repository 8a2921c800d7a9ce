package io.lockstep.manifest;

import io.lockstep.UserException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/** Finds the files that one entry of {@code data} names: a directory, a pattern or a file. */
final class FileFinder {

    /**
     * What was found.
     *
     * @param root the directory that paths are relative to
     */
    record Found(Path root, List<FoundFile> files) {}

    private FileFinder() {}

    static Found find(String data) throws IOException {
        Path path = path(data);
        FileSystem fileSystem = fileSystem(path, data);
        Path qualified = path.makeQualified(fileSystem);
        FileStatus status = status(fileSystem, qualified);
        if (status == null) {
            if (Glob.isPattern(data)) {
                return glob(fileSystem, qualified, data);
            }
            throw new UserException(
                    "There is nothing at "
                            + qualified
                            + "; name a directory, a file or a pattern that exists.");
        }
        if (!status.isDir()) {
            return new Found(qualified.getParent(), List.of(FoundFile.of(status)));
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
        return new Found(qualified, files);
    }

    private static Found glob(FileSystem fileSystem, Path pattern, String data) throws IOException {
        String text = pattern.toUri().getPath();
        String baseName = Glob.base(text);
        Path base = new Path(pattern.toUri().getScheme(), pattern.toUri().getAuthority(), baseName);
        FileStatus status = status(fileSystem, base);
        List<FoundFile> files = new ArrayList<>();
        if (status != null && status.isDir()) {
            Pattern regex = Glob.compile(text.substring(baseName.length()));
            walk(fileSystem, base, files);
            files.removeIf(f -> !regex.matcher(below(base, f)).matches());
        }
        if (files.isEmpty()) {
            throw new UserException(
                    "No file matches "
                            + data
                            + " (names that begin with _ or . do not count); correct the pattern.");
        }
        return new Found(base, files);
    }

    /** The file's path below a directory. */
    static String below(Path directory, FoundFile file) {
        String prefix = directory.toUri().getPath();
        return file.name().substring(prefix.endsWith("/") ? prefix.length() : prefix.length() + 1);
    }

    private static void walk(FileSystem fileSystem, Path directory, List<FoundFile> files)
            throws IOException {
        for (FileStatus entry : list(fileSystem, directory)) {
            String name = entry.getPath().getName();
            if (name.startsWith("_") || name.startsWith(".")) {
                continue;
            }
            if (entry.isDir()) {
                walk(fileSystem, entry.getPath(), files);
            } else {
                files.add(FoundFile.of(entry));
            }
        }
    }

    private static FileStatus[] list(FileSystem fileSystem, Path directory) throws IOException {
        FileStatus[] entries;
        try {
            entries = fileSystem.listStatus(directory);
        } catch (IllegalArgumentException | NullPointerException e) {
            // Flink takes what stands before a colon in a name for a scheme, and fails in one of
            // these ways on the rest.
            throw new UserException(
                    "The directory "
                            + directory
                            + " holds a name with a colon, and Flink's file systems cannot list"
                            + " it; rename that file or directory, or move it out of there.",
                    e);
        }
        if (entries == null) {
            throw new IOException("The directory " + directory + " cannot be listed");
        }
        return entries;
    }

    private static Path path(String data) {
        try {
            return new Path(data);
        } catch (IllegalArgumentException e) {
            throw new UserException(
                    "\"" + data + "\" is not a path (" + e.getMessage() + "); correct it.", e);
        }
    }

    private static FileSystem fileSystem(Path path, String data) throws IOException {
        try {
            return path.getFileSystem();
        } catch (UnsupportedFileSystemSchemeException e) {
            throw new UserException(
                    "Flink has no file system for "
                            + data
                            + "; put the plugin for "
                            + path.toUri().getScheme()
                            + " into Flink's plugins directory ("
                            + e.getMessage()
                            + ").",
                    e);
        }
    }

    private static FileStatus status(FileSystem fileSystem, Path path) throws IOException {
        try {
            return fileSystem.getFileStatus(path);
        } catch (FileNotFoundException e) {
            return null;
        }
    }
}
