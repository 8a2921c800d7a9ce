package io.lockstep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.testing.FaultyFileSystem;
import io.lockstep.testing.FaultyFileSystem.Mode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests atomic writes on file systems with different rename semantics. */
class AtomicFileTest {

    @TempDir private Path directory;

    private final FaultyFileSystem.Control remote = FaultyFileSystem.create();

    @Test
    void aLocalFileIsReplacedAndNothingIsLeftAside() throws IOException {
        Path file = directory.resolve("a/b/file");

        write(file.toString(), "former");
        write(file.toString(), "new");

        assertThat(file).hasContent("new");
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aFailedLocalWriteKeepsTheFormerContent() throws IOException {
        Path file = Files.createDirectories(directory.resolve("taken/file")).getParent();

        assertThatThrownBy(() -> write(file.toString(), "new")).isInstanceOf(IOException.class);

        assertThat(file).isDirectoryContaining(path -> path.endsWith("file"));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void whereRenameRefusesToReplaceTheFormerFileIsNeverDeletedFirst() throws IOException {
        String file = remote.uri(directory.resolve("file"));
        write(file, "former");
        int before = remote.changes().size();

        write(file, "new");

        assertThat(read(file)).isEqualTo("new");
        assertThat(remote.changes().subList(before, remote.changes().size()))
                .noneMatch(change -> change.equals("delete file"))
                .endsWith("delete .file.former");
        assertThat(directory.resolve(".file.former")).doesNotExist();
    }

    @Test
    void aWriterThatDiesBetweenItsRenamesLeavesTheFormerContent() throws IOException {
        Path file = directory.resolve("file");
        Files.writeString(directory.resolve(".file.former"), "former");

        assertThat(read(remote.uri(file))).isEqualTo("former");
        AtomicFile.delete(path(remote.uri(file)));
        assertThatThrownBy(() -> read(remote.uri(file))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void aFailedWriteKeepsTheFormerContent() throws IOException {
        String file = remote.uri(directory.resolve("file"));
        write(file, "former");
        remote.set(Mode.READ_ONLY);

        assertThatThrownBy(() -> write(file, "new"))
                .hasMessage(path(file) + " cannot be accessed: Read-only file system");

        assertThat(read(file)).isEqualTo("former");
    }

    private static void write(String file, String content) throws IOException {
        AtomicFile.write(path(file), content.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(String file) throws IOException {
        return new String(AtomicFile.read(path(file)), StandardCharsets.UTF_8);
    }

    private static org.apache.flink.core.fs.Path path(String file) {
        return new org.apache.flink.core.fs.Path(file);
    }
}
