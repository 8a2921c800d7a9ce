package io.lockstep.cli.console;

import io.lockstep.cli.runfile.Paths;
import java.nio.file.Path;

/** Resolves paths given on the command line. */
public final class GivenPaths {

    private GivenPaths() {}

    /**
     * Makes a path independent of the working directory.
     *
     * @throws UsageException if it is not a path, or empty, which would mean the working directory
     */
    public static String absolute(String path) {
        checkNotEmpty(path);
        try {
            return Paths.absolute(Path.of(""), path);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    /**
     * Makes a local path, which has no scheme, independent of the working directory.
     *
     * @throws UsageException if it is empty
     */
    public static String local(String path) {
        checkNotEmpty(path);
        return Path.of(Paths.expand(path)).toAbsolutePath().toString();
    }

    private static void checkNotEmpty(String path) {
        if (path.isBlank()) {
            throw new UsageException(
                    "a path is empty: name a directory, a glob or a file; '.' is where you are");
        }
    }
}
