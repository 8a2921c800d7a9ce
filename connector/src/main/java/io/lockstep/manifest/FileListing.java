package io.lockstep.manifest;

import io.lockstep.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.fs.Path;

/**
 * The files of a dataset in canonical order: by path relative to the root, as unsigned UTF-8 bytes.
 *
 * @param root the directory to which paths are relative
 * @param files the files in canonical order
 * @param skipped files that are no Parquet by their names
 */
record FileListing(Path root, List<FoundFile> files, List<FoundFile> skipped) {

    /**
     * Lists the files that {@code data} refers to. The root of a single directory is the directory
     * itself; of a pattern, its longest directory without a wildcard; of a file, its parent; of
     * several entries, their common parent.
     */
    static FileListing of(List<String> data) throws IOException {
        if (data.isEmpty()) {
            throw new UserException("No data is named; name a directory, a file or a pattern.");
        }
        List<FoundFile> files = new ArrayList<>();
        List<FoundFile> skipped = new ArrayList<>();
        Path root = null;
        for (String entry : data) {
            FileFinder.Found found = FileFinder.find(entry);
            root = root == null ? found.root() : common(root, found.root());
            files.addAll(found.files());
            skipped.addAll(found.skipped());
        }
        sort(root, files);
        return new FileListing(root, files, skipped);
    }

    /** Returns the file's path relative to the root. */
    String relative(FoundFile file) {
        return FileFinder.below(root, file);
    }

    private static void sort(Path root, List<FoundFile> files) {
        /** A file with its path as UTF-8 bytes. */
        record Keyed(byte[] key, FoundFile file) {}
        List<Keyed> keyed = new ArrayList<>(files.size());
        for (FoundFile file : files) {
            String relative = FileFinder.below(root, file);
            if (relative.indexOf('\n') >= 0) {
                throw new UserException(
                        "The name of " + file.path() + " has a line break; rename the file.");
            }
            keyed.add(new Keyed(relative.getBytes(StandardCharsets.UTF_8), file));
        }
        keyed.sort(Comparator.comparing(Keyed::key, Arrays::compareUnsigned));
        for (int i = 1; i < keyed.size(); i++) {
            if (Arrays.equals(keyed.get(i - 1).key(), keyed.get(i).key())) {
                throw new UserException(
                        keyed.get(i).file().path()
                                + " is named twice by the data; name each file once.");
            }
        }
        files.clear();
        keyed.forEach(k -> files.add(k.file()));
    }

    private static Path common(Path one, Path other) {
        String scheme = one.toUri().getScheme();
        String authority = one.toUri().getAuthority();
        if (!String.valueOf(scheme).equals(String.valueOf(other.toUri().getScheme()))
                || !String.valueOf(authority)
                        .equals(String.valueOf(other.toUri().getAuthority()))) {
            throw new UserException(
                    one
                            + " and "
                            + other
                            + " lie on different file systems; a dataset lies on one.");
        }
        String[] names = one.toUri().getPath().split("/");
        String[] others = other.toUri().getPath().split("/");
        int same = 0;
        while (same < Math.min(names.length, others.length) && names[same].equals(others[same])) {
            same++;
        }
        String path = String.join("/", Arrays.asList(names).subList(0, same));
        return new Path(scheme, authority, path.isEmpty() ? "/" : path);
    }
}
