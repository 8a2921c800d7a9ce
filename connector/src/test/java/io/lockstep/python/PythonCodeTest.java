package io.lockstep.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files travel with a job, and what identifies them. */
class PythonCodeTest {

    @TempDir private Path folder;

    @Test
    void filesAndFoldersTravelUnderTheirOwnNames() throws IOException {
        Path nested = Files.createDirectories(folder.resolve("features/text"));
        Files.createDirectories(folder.resolve("features/__pycache__"));
        Files.writeString(nested.resolve("words.py"), "a = 1\n");
        Files.writeString(folder.resolve("features/__init__.py"), "");
        Files.writeString(folder.resolve("features/__pycache__/x.pyc"), "compiled");
        Files.writeString(folder.resolve("features/.hidden"), "secret");
        Files.writeString(folder.resolve("single.py"), "b = 2\n");

        PythonCode code =
                PythonCode.read(List.of(folder.resolve("features"), folder.resolve("single.py")));

        assertThat(code.files())
                .containsExactly(
                        Map.entry("features/__init__.py", ""),
                        Map.entry("features/text/words.py", "a = 1\n"),
                        Map.entry("single.py", "b = 2\n"));
        Path copy = Files.createDirectory(folder.resolve("copy"));
        code.writeTo(copy);
        assertThat(copy.resolve("features/text/words.py")).hasContent("a = 1\n");
    }

    @Test
    void theHashDependsOnNamesAndTexts() {
        String hash = code(Map.of("a.py", "x", "b.py", "y")).sha256();

        assertThat(code(Map.of("a.py", "x", "b.py", "y")).sha256()).isEqualTo(hash);
        assertThat(code(Map.of("a.py", "y", "b.py", "x")).sha256()).isNotEqualTo(hash);
        assertThat(code(Map.of("a.py", "xb.py", "b", "y")).sha256()).isNotEqualTo(hash);
    }

    @Test
    void whatCannotTravelIsRefused() throws IOException {
        Path binary = Files.write(folder.resolve("model.bin"), new byte[] {(byte) 0xFF, 0, 1});
        Path large = Files.writeString(folder.resolve("large.py"), "x".repeat((1 << 20) + 1));
        Path half = Files.writeString(folder.resolve("half.py"), "x".repeat(600_000));
        Path small = Files.writeString(folder.resolve("small.py"), "x");
        Path other = Files.writeString(folder.resolve("other.py"), "x".repeat(600_000));

        refused("is no UTF-8 text", List.of(binary));
        refused("has more than 1 MiB and is no source file", List.of(large));
        refused("have more than 1 MiB (up to " + other, List.of(half, other));
        refused("two files of the Python functions have the name small.py", List.of(small, small));
        refused("there is no file or folder", List.of(folder.resolve("gone.py")));
        assertThatThrownBy(() -> code(Map.of("../outside.py", "")).writeTo(folder))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("outside of its folder");
    }

    private static void refused(String message, List<Path> files) {
        assertThatThrownBy(() -> PythonCode.read(files))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(message);
    }

    private static PythonCode code(Map<String, String> files) {
        return new PythonCode(new TreeMap<>(files));
    }
}
