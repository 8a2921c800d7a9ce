package io.lockstep.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import io.lockstep.testing.OwnThreads;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The token of a run, in its file and in the environment. */
class RunTokenTest {

    private static final String DIGITS = "0123456789abcdef".repeat(4);

    @TempDir Path directory;

    private RunDirectory run() {
        return new RunDirectory(directory.resolve("run").toString());
    }

    private Path file() {
        return directory.resolve("run/token");
    }

    @Test
    void theFileHoldsSixtyFourDigitsThatOnlyItsOwnerReads() throws Exception {
        assertThat(run().readToken()).isEmpty();

        RunToken token = run().obtainToken();

        assertThat(Files.readString(file())).matches("[0-9a-f]{64}\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(token.authorization()).isEqualTo("Bearer " + Files.readString(file()).strip());
        try (Stream<Path> files = Files.list(file().getParent())) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void aTokenThatIsThereIsKept() throws Exception {
        String first = run().obtainToken().authorization();
        assertThat(run().obtainToken().authorization()).isEqualTo(first);
        assertThat(run().readToken().orElseThrow().authorization()).isEqualTo(first);
        assertThat(RunToken.random().authorization()).isNotEqualTo(first);
    }

    @Test
    void allThatMakeItAtOnceHaveTheSame() throws Exception {
        List<CompletableFuture<String>> made = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            made.add(OwnThreads.call(() -> run().obtainToken().authorization()));
        }
        assertThat(made.stream().map(CompletableFuture::join).distinct()).hasSize(1);
    }

    @Test
    void aFileWithSomethingElseIsRefusedWithoutRepeatingIt() throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), DIGITS.substring(1));
        assertThatThrownBy(() -> run().obtainToken())
                .isInstanceOf(UserException.class)
                .hasMessageContaining(file().toString())
                .hasMessageContaining("64 hexadecimal digits")
                .hasMessageNotContaining(DIGITS.substring(1));
    }

    @Test
    void theEnvironmentGivesItOrNamesItsFile() throws Exception {
        Path copy = Files.writeString(directory.resolve("copy"), DIGITS + "\n");
        Map<String, String> file = Map.of("LOCKSTEP_TOKEN_FILE", copy.toString());
        assertThat(RunToken.ofEnvironment(Map.of())).isEmpty();
        assertThat(RunToken.ofEnvironment(file).orElseThrow().authorization())
                .isEqualTo("Bearer " + DIGITS);
        assertThat(RunToken.ofEnvironment(Map.of("LOCKSTEP_TOKEN", DIGITS))).isPresent();
        assertThatThrownBy(() -> RunToken.ofEnvironment(Map.of("LOCKSTEP_TOKEN", "secret")))
                .isInstanceOf(UserException.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> RunToken.ofEnvironment(Map.of("LOCKSTEP_TOKEN_FILE", "/no/file")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("/no/file");
    }

    @Test
    void onlyItsOwnHeaderAuthorizes() throws Exception {
        RunToken token = RunToken.parse(DIGITS, "a test");
        assertThat(token.authorizes("Bearer " + DIGITS)).isTrue();
        assertThat(token.authorizes(null)).isFalse();
        assertThat(token.authorizes("")).isFalse();
        assertThat(token.authorizes(DIGITS)).isFalse();
        assertThat(token.authorizes("Bearer " + DIGITS + "0")).isFalse();
        assertThat(token.authorizes(RunToken.random().authorization())).isFalse();
    }

    @Test
    void itTravelsByteForByteAndNeverAsText() throws Exception {
        RunToken token = RunToken.parse(DIGITS, "a test");
        assertThat(token.toString()).doesNotContain(DIGITS);
        new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(token);
    }
}
