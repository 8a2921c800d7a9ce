package io.lockstep.cli.console;

import io.lockstep.cli.runfile.Paths;
import java.nio.file.Path;

/** Paths that were given to the command. */
public final class GivenPaths {

    private GivenPaths() {}

    /**
     * The same path, whatever the working directory.
     *
     * @throws UsageException where it is none, or empty, which would be the working directory
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
     * The same for a path of this machine, which has no scheme.
     *
     * @throws UsageException where it is empty
     */
    public static String local(String path) {
        checkNotEmpty(path);
        return Path.of(path).toAbsolutePath().toString();
    }

    private static void checkNotEmpty(String path) {
        if (path.isBlank()) {
            throw new UsageException(
                    "a path is empty: name a directory, a glob or a file; '.' is where you are");
        }
    }
}
