package io.lockstep.cli.runfile;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.flink.annotation.Internal;

/** Makes paths independent of where somebody stands. */
@Internal
public final class Paths {

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

    private Paths() {}

    /**
     * The path itself where it has a scheme, else an absolute one; globs are kept.
     *
     * @param base what a relative path starts from
     * @throws IllegalArgumentException where it is none, since nothing follows its scheme for
     *     instance
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
