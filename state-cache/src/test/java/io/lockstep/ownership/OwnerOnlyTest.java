package io.lockstep.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories whose names other users can predict. */
class OwnerOnlyTest {

    private static final int ANOTHER_USER = 12345;

    @TempDir Path shared;

    @Test
    void aDirectoryIsMadeForItsOwnerOnly() throws IOException {
        Path made = shared.resolve("deep/inside");
        OwnerOnly.ensureDirectory(made);
        assertThat(mode(made)).isEqualTo("rwx------");
    }

    @Test
    void theModeOfAnExistingDirectoryIsRestricted() throws IOException {
        Path existing = Files.createDirectory(shared.resolve("existing"));
        Files.setPosixFilePermissions(existing, PosixFilePermissions.fromString("rwxrwxrwx"));
        OwnerOnly.ensureDirectory(existing);
        assertThat(mode(existing)).isEqualTo("rwx------");
    }

    @Test
    void aSymbolicLinkIsRefused() throws IOException {
        Path target = Files.createDirectory(shared.resolve("target"));
        String before = mode(target);
        Path link = Files.createSymbolicLink(shared.resolve("link"), target);
        assertThatThrownBy(() -> OwnerOnly.ensureDirectory(link))
                .isInstanceOf(ForeignDirectoryException.class)
                .hasMessage(link + ": is a symbolic link");
        assertThat(mode(target)).isEqualTo(before);
    }

    @Test
    void aDirectoryOfAnotherUserIsRefused() throws IOException {
        Path foreign = Files.createDirectory(shared.resolve("foreign"));
        assumeThat(isRoot()).as("root may give files to other users").isTrue();
        Files.setAttribute(foreign, "unix:uid", ANOTHER_USER);
        assertThatThrownBy(() -> OwnerOnly.ensureDirectory(foreign))
                .isInstanceOf(ForeignDirectoryException.class)
                .hasMessageContaining("belongs to the user " + ANOTHER_USER);
    }

    @Test
    void aFileIsRefused() throws IOException {
        Path file = Files.createFile(shared.resolve("file"));
        assertThatThrownBy(() -> OwnerOnly.ensureDirectory(file))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
