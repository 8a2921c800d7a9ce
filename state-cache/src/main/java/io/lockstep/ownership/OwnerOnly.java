package io.lockstep.ownership;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files and directories that only their owner may use. Modes are set at creation, so that others
 * can never open a file. Has no effect if the file system does not support POSIX modes.
 */
public final class OwnerOnly {

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private static final String DIRECTORY = "rwx------";

    private OwnerOnly() {}

    /** Mode 0600. */
    public static FileAttribute<?>[] file() {
        return mode("rw-------");
    }

    /** Mode 0700. */
    public static FileAttribute<?>[] directory() {
        return mode(DIRECTORY);
    }

    /**
     * Creates a directory with mode 0700, or reuses an existing one of this user and restricts its
     * mode. Meant for predictable names, which another user may have created before.
     *
     * @throws ForeignDirectoryException if it is a symbolic link or belongs to another user
     */
    public static void ensureDirectory(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(directory, directory());
            return;
        } catch (FileAlreadyExistsException e) {
            if (Files.isSymbolicLink(directory)) {
                throw new ForeignDirectoryException(directory, "is a symbolic link");
            }
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
        if (POSIX) {
            // The link itself belongs to root.
            Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            if (!uid(directory).equals(self)) {
                throw new ForeignDirectoryException(
                        directory,
                        "belongs to the user "
                                + Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS).getName());
            }
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(DIRECTORY));
        }
    }

    private static Object uid(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static FileAttribute<?>[] mode(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
