package io.lockstep;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.flink.annotation.Internal;

/** Directories for temporary files where several users of a machine keep theirs. */
@Internal
public final class TemporaryDirectories {

    /** A user's name may come from a directory service, and hold what a file's name must not. */
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9._-]");

    private TemporaryDirectories() {}

    /**
     * The directory {@code lockstep-PURPOSE-USER} of the user whose process this is, where those of
     * others are not in the way. It is not made.
     *
     * @param shared the directory that all users may write into
     */
    public static Path ofUser(Path shared, String purpose) {
        return of(shared, purpose, System.getProperty("user.name"));
    }

    static Path of(Path shared, String purpose, String user) {
        String name = UNSAFE.matcher(user).replaceAll("_");
        return shared.resolve("lockstep-" + purpose + "-" + name);
    }
}
