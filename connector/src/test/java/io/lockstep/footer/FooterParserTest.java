package io.lockstep.footer;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.UserException;
import io.lockstep.testing.TestParquet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests parsing of valid and damaged footers. */
class FooterParserTest {

    private static final String SCHEMA =
            "message m { required int64 id; optional binary text (STRING);"
                    + " required group list (LIST) { repeated group list { optional float element; } } }";

    @TempDir private Path directory;

    @Test
    void findsChunksInTheOrderOfTheSchema() throws IOException {
        Footer footer = FooterParser.parse("x", "", footer());
        assertThat(footer.rowGroups()).extracting(FileRowGroup::rows).containsExactly(100L, 20L);
        assertThat(footer.rowGroups().get(0).chunks())
                .hasSize(3)
                .allMatch(
                        c ->
                                c.codec() == CompressionCodec.UNCOMPRESSED
                                        && !c.inOtherFile()
                                        && c.values() == 100)
                .isSortedAccordingTo((a, b) -> Long.compare(a.begin(), b.begin()));
        assertThat(footer.schema().columns())
                .extracting(FileColumn::name, FileColumn::isList)
                .containsExactly(
                        org.assertj.core.api.Assertions.tuple("id", false),
                        org.assertj.core.api.Assertions.tuple("text", false),
                        org.assertj.core.api.Assertions.tuple("list", true));
    }

    @Test
    void refusesWhatIsDamaged() throws IOException {
        byte[] good = footer();
        Random random = new Random(3);
        int refused = 0;
        for (int length = 1; length < good.length; length++) {
            refused += parses(Arrays.copyOf(good, length)) ? 0 : 1;
        }
        assertThat(refused).isEqualTo(good.length - 1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            for (int k = random.nextInt(3); k >= 0; k--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            refused += parses(bad) ? 0 : 1;
        }
        assertThat(refused).isGreaterThan(good.length);
    }

    private static boolean parses(byte[] footer) {
        try {
            FooterParser.parse("x", "", footer).schema();
            return true;
        } catch (UserException e) {
            assertThat(e.getMessage()).contains("x");
            return false;
        }
    }

    private byte[] footer() throws IOException {
        Path file =
                TestParquet.write(
                        directory.resolve("x.parquet"),
                        SCHEMA,
                        120,
                        (g, i) ->
                                g.append("id", 1L)
                                        .append("text", "a")
                                        .addGroup("list")
                                        .addGroup("list")
                                        .add("element", 1f));
        byte[] bytes = Files.readAllBytes(file);
        int length = (bytes[bytes.length - 8] & 0xff) | (bytes[bytes.length - 7] & 0xff) << 8;
        return Arrays.copyOfRange(bytes, bytes.length - 8 - length, bytes.length - 8);
    }
}
