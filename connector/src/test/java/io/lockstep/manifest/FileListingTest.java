package io.lockstep.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the listing of directories, patterns and files. */
class FileListingTest {

    @TempDir private Path directory;

    @BeforeEach
    void makeFiles() throws IOException {
        for (String name :
                List.of(
                        "b.parquet",
                        "a.parquet",
                        "year=2024/x.parquet",
                        "year=2025/deep/y.parquet",
                        "_SUCCESS",
                        ".a.parquet.crc",
                        "_staging/z.parquet",
                        "year=2025/.hidden/z.parquet")) {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
    }

    @Test
    void findsAllBelowADirectoryButHiddenNames() throws IOException {
        assertThat(list(directory.toString()))
                .containsExactly(
                        "a.parquet",
                        "b.parquet",
                        "year=2024/x.parquet",
                        "year=2025/deep/y.parquet");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "*.parquet; a.parquet b.parquet",
                "?.parquet; a.parquet b.parquet",
                "[!a].parquet; b.parquet",
                "[a-b].parquet; a.parquet b.parquet",
                "{a,c}.parquet; a.parquet",
                "**/*.parquet; a.parquet b.parquet year=2024/x.parquet year=2025/deep/y.parquet",
                "year=*/*.parquet; year=2024/x.parquet",
                "year=2025/**; deep/y.parquet",
                "*/**/y.parquet; year=2025/deep/y.parquet",
                "year=*; year=2024/x.parquet year=2025/deep/y.parquet",
                "year=*/; year=2024/x.parquet year=2025/deep/y.parquet",
                "*/deep; year=2025/deep/y.parquet",
                "{a.parquet,year=2024}; a.parquet year=2024/x.parquet",
                "{year=2024/x,year=2025/deep/y}.parquet; year=2024/x.parquet year=2025/deep/y.parquet",
                "*; a.parquet b.parquet year=2024/x.parquet year=2025/deep/y.parquet",
            })
    void findsWhatMatchesAPattern(String pattern, String found) throws IOException {
        assertThat(list(directory + "/" + pattern)).containsExactly(found.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "*.parquet; false; false",
                "year=2024/*.parquet; true; false",
                "y*/*.parquet; true; false",
                "*/deep/*; true; true",
                "**/*.parquet; true; true",
                "{year=2024/deep,other}/*; true; true",
            })
    void goesNoDeeperThanAPatternCanMatch(String pattern, boolean year, boolean deep) {
        Pattern regex = Glob.compile(pattern);
        assertThat(Glob.canMatchBelow(regex, "year=2024/")).isEqualTo(year);
        assertThat(Glob.canMatchBelow(regex, "year=2024/deep/")).isEqualTo(deep);
    }

    @ParameterizedTest
    @ValueSource(strings = {"part:0.parquet", "2024-01-01T00:00.parquet"})
    void namesTheDirectoryOfANameThatFlinkCannotList(String name) throws IOException {
        Files.writeString(directory.resolve("year=2024").resolve(name), name);
        for (String data : List.of(directory.toString(), directory + "/**/*.parquet")) {
            assertThatThrownBy(() -> list(data))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("year=2024 holds a name with a colon")
                    .hasMessageContaining("rename");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\b.parquet", "a\\b/c.parquet"})
    void namesTheDirectoryOfANameWithABackslash(String name) throws IOException {
        Path file = directory.resolve("year=2024").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, name);
        assertThatThrownBy(() -> list(directory.toString()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("year=2024 holds a name with a backslash")
                .hasMessageContaining("rename");
    }

    @Test
    void refusesAPathWithABackslash() {
        assertThatThrownBy(() -> list(directory + "\\a.parquet"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("\\a.parquet\" has a backslash");
    }

    @Test
    void takesTheLongestDirectoryWithoutWildcardAsRoot() throws IOException {
        FileListing listing = FileListing.of(List.of(directory + "/year=2025/d*/*.parquet"));
        assertThat(listing.root().getPath()).isEqualTo(directory + "/year=2025");
    }

    @Test
    void takesAFilesParentAsRoot() throws IOException {
        assertThat(list(directory + "/year=2024/x.parquet")).containsExactly("x.parquet");
    }

    @Test
    void takesAFileWhoseNameLooksLikeAPattern() throws IOException {
        Files.writeString(directory.resolve("[a].parquet"), "");
        assertThat(list(directory + "/[a].parquet")).containsExactly("[a].parquet");
    }

    @Test
    void takesWhatSeveralEntriesHaveInCommonAsRoot() throws IOException {
        assertThat(list(directory + "/year=2025", directory + "/year=2024/x.parquet"))
                .containsExactly("year=2024/x.parquet", "year=2025/deep/y.parquet");
    }

    @Test
    void ordersByUnsignedUtf8() throws IOException {
        // In UTF-16, a surrogate pair comes before the private use area.
        List<String> names = List.of("a-b", "a/b", "a0", "\u00e9", "\ue000", "\ud83d\ude00");
        Path other = directory.resolve("names");
        for (String name : names) {
            Files.createDirectories(other.resolve(name).getParent());
            Files.writeString(other.resolve(name), "");
        }
        assertThat(list(other.toString())).containsExactlyElementsOf(names);
    }

    @Test
    void skipsOtherFilesBesideFilesWithNamesOfParquet() throws IOException {
        for (String name : List.of("README.md", "year=2024/z.PARQ", "year=2025/deep/x.csv")) {
            Files.writeString(directory.resolve(name), name);
        }

        FileListing listing = FileListing.of(List.of(directory.toString()));

        assertThat(listing.skipped())
                .extracting(file -> directory.relativize(Path.of(file.name())).toString())
                .containsExactlyInAnyOrder("README.md", "year=2025/deep/x.csv");
        assertThat(listing.files()).hasSize(5);
        assertThat(list(directory + "/README.md")).containsExactly("README.md");
        assertThat(list(directory + "/*.md")).containsExactly("README.md");
    }

    @Test
    void namesALinkToADirectoryAboveIt() throws IOException {
        Path deep = directory.resolve("year=2025/deep");
        Files.createSymbolicLink(deep.resolve("up"), directory);
        String message = "The symbolic link " + deep + "/up leads to " + directory.toRealPath();

        assertThatThrownBy(() -> list(directory.toString()))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(message);
        assertThatThrownBy(() -> list(directory + "/**/y.parquet"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void followsALinkToAnotherDirectory() throws IOException {
        Files.createSymbolicLink(
                directory.resolve("year=2024/other"), directory.resolve("year=2025"));

        assertThat(list(directory.resolve("year=2024").toString()))
                .containsExactly("other/deep/y.parquet", "x.parquet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/*", "/dead.parquet"})
    void namesALinkToNothing(String data) throws IOException {
        Files.createSymbolicLink(directory.resolve("dead.parquet"), Path.of("/nowhere"));

        assertThatThrownBy(() -> list(directory + data))
                .isInstanceOf(UserException.class)
                .hasMessage(
                        "The symbolic link "
                                + directory
                                + "/dead.parquet leads to /nowhere, which does not exist; correct or"
                                + " remove the link.");
    }

    @Test
    void refusesAFileThatIsNamedTwice() {
        assertThatThrownBy(() -> list(directory.toString(), directory + "/a.parquet"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("/a.parquet is named twice");
    }

    @Test
    void refusesAPathThatIsNotThere() {
        assertThatThrownBy(() -> list(directory + "/nowhere"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("There is nothing at")
                .hasMessageContaining(directory + "/nowhere");
    }

    @Test
    void refusesADirectoryWithoutFiles() throws IOException {
        Path empty = Files.createDirectories(directory.resolve("empty"));
        Files.writeString(empty.resolve("_SUCCESS"), "");
        assertThatThrownBy(() -> list(empty.toString()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(empty + " holds no files");
    }

    @Test
    void refusesAPatternThatNothingMatches() {
        assertThatThrownBy(() -> list(directory + "/*.csv"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("No file matches " + directory + "/*.csv");
    }

    @Test
    void refusesAnUnknownFileSystem() {
        assertThatThrownBy(() -> list("nofs://bucket/data"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("Flink has no file system for nofs://bucket/data");
    }

    private static List<String> list(String... data) throws IOException {
        FileListing listing = FileListing.of(Arrays.asList(data));
        return listing.files().stream().map(listing::relative).toList();
    }
}
