package io.lockstep.cli;

import io.lockstep.cli.runfile.Paths;
import java.nio.file.Path;

/** Paths that were given to the command. */
public final class GivenPaths {

    private GivenPaths() {}

    /**
     * The same path, whatever the working directory.
     *
     * @throws UsageException where it is empty, which would be the working directory itself
     */
    public static String absolute(String path) {
        if (path.isBlank()) {
            throw new UsageException(
                    "a path is empty: name a directory, a glob or a file; '.' is where you are");
        }
        return Paths.absolute(Path.of(""), path);
    }
}
