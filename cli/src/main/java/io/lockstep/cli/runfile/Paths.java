package io.lockstep.cli.runfile;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.annotation.Internal;

/** Makes paths independent of the working directory. */
@Internal
public final class Paths {

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

    private static final Pattern HOME = Pattern.compile("^(~|\\$HOME|\\$\\{HOME})(?=/|$)");

    private Paths() {}

    /** Replaces a leading {@code ~}, {@code $HOME} or {@code ${HOME}} as a shell does. */
    public static String expand(String path) {
        return HOME.matcher(path).replaceFirst(Matcher.quoteReplacement(home()));
    }

    private static String home() {
        String home = System.getenv("HOME");
        return home == null ? System.getProperty("user.home") : home;
    }

    /**
     * Returns the path itself if it has a scheme, else an absolute path; keeps globs, and expands
     * the home directory.
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
        return base.toAbsolutePath().resolve(expand(path)).normalize().toString();
    }

    private static void checkUri(String path) {
        try {
            new org.apache.flink.core.fs.Path(path);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + path + "' is neither a path nor a URI", e);
        }
    }
}
