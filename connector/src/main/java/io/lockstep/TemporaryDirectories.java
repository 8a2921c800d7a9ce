package io.lockstep;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.flink.annotation.Internal;

/** Per-user directories for temporary files on machines that several users share. */
@Internal
public final class TemporaryDirectories {

    /**
     * A user name from a directory service may contain characters that are illegal in file names.
     */
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9._-]");

    private TemporaryDirectories() {}

    /**
     * Returns the directory {@code lockstep-PURPOSE-USER} of the user that runs this process, so
     * that users do not collide. Does not create it.
     *
     * @param shared a directory that all users can write to
     */
    public static Path ofUser(Path shared, String purpose) {
        return of(shared, purpose, System.getProperty("user.name"));
    }

    static Path of(Path shared, String purpose, String user) {
        String name = UNSAFE.matcher(user).replaceAll("_");
        return shared.resolve("lockstep-" + purpose + "-" + name);
    }
}
