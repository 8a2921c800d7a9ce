package io.lockstep.ownership;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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
    void anotherUserThanRootMayReuseItsOwnDirectory(@TempDir Path classes) throws Exception {
        assumeThat(isRoot()).as("root may start processes of other users").isTrue();
        for (Class<?> needed : List.of(OwnerOnly.class, ForeignDirectoryException.class)) {
            Path file = Path.of(needed.getName().replace('.', '/') + ".class");
            Files.createDirectories(classes.resolve(file).getParent());
            try (InputStream in = needed.getResourceAsStream("/" + file)) {
                Files.copy(in, classes.resolve(file));
            }
        }
        Path program = classes.resolve("Twice.java");
        Files.writeString(
                program,
                """
                class Twice {
                    public static void main(String[] args) throws Exception {
                        for (int i = 0; i < 2; i++) {
                            io.lockstep.ownership.OwnerOnly.ensureDirectory(
                                    java.nio.file.Path.of(args[0], "own"));
                        }
                    }
                }
                """);
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String user = "--reuid=" + ANOTHER_USER;
        Process twice =
                new ProcessBuilder(
                                "setpriv",
                                user,
                                "--clear-groups",
                                java,
                                "-cp",
                                ".",
                                program.getFileName().toString(),
                                shared.toString())
                        .directory(classes.toFile())
                        .redirectErrorStream(true)
                        .start();

        assertThat(new String(twice.getInputStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(twice.waitFor()).isZero();
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
