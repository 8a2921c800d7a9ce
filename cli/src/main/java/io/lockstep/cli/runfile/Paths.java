package io.lockstep.cli.runfile;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.flink.annotation.Internal;

/** Makes paths independent of the working directory. */
@Internal
public final class Paths {

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

    private Paths() {}

    /**
     * Returns the path itself if it has a scheme, else an absolute path; keeps globs.
     *
     * @param base the directory that relative paths start from
     * @throws IllegalArgumentException if it is not a path, for example because nothing follows its
     *     scheme
     */
    public static String absolute(Path base, String path) {
        if (SCHEME.matcher(path).matches()) {
            checkUri(path);
            return path;
        }
        return base.toAbsolutePath().resolve(path).normalize().toString();
    }

    private static void checkUri(String path) {
        try {
            new org.apache.flink.core.fs.Path(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + path + "' is neither a path nor a URI", e);
        }
    }
}
