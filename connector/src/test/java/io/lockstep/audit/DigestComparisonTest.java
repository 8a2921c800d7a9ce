package io.lockstep.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.audit.DigestRow.Kind;
import io.lockstep.digest.Digest128;
import io.lockstep.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares two runs by their digests. */
class DigestComparisonTest {

    @TempDir Path directory;

    @Test
    void findsNoDifferenceBetweenOtherWaysToTheSameSteps() throws Exception {
        write("a", DigestRows.consumed(1, 0, 0, 50));
        write("b", DigestRows.consumed(1, 0, 0, 30));
        write("b", DigestRows.consumed(2, 0, 20, 50));
        DigestComparison same = compare();
        assertThat(same.lanesCompared()).isEqualTo(50 * DigestRows.LANES.size());
        assertThat(same.difference()).isNull();
        assertThat(same.onlyInFirst()).isEmpty();
        assertThat(same.onlyInSecond()).isEmpty();
    }

    @Test
    void namesTheFirstLaneThatDiffers() throws Exception {
        Digest128 other = new Digest128(0, 42);
        write("a", DigestRows.consumed(1, 1, 0, 2000));
        write("b", DigestRows.consumed(1, 1, 0, 1500));
        write(
                "b",
                List.of(
                        new DigestRow(
                                Kind.SERVED, "train", 1, 0, 1, 1600, List.of(2), List.of(other)),
                        new DigestRow(
                                Kind.SERVED, "train", 1, 0, 1, 1500, List.of(3), List.of(other))));
        DigestComparison.Difference difference = compare().difference();
        assertThat(difference.step()).isEqualTo(1500);
        assertThat(difference.lane()).isEqualTo(3);
        assertThat(difference.first()).containsExactly(DigestRows.digest(1, 1500, 3));
        assertThat(difference.second()).containsExactly(other);
    }

    @Test
    void countsARunThatContradictsItselfAsDifferent() throws Exception {
        Digest128 other = new Digest128(0, 42);
        DigestRow changed =
                new DigestRow(Kind.CONSUMED, "train", 2, 0, 0, 7, List.of(0), List.of(other));
        for (String run : List.of("a", "b")) {
            write(run, DigestRows.consumed(1, 0, 0, 10));
            write(run, List.of(changed));
        }
        assertThat(compare().difference().step()).isEqualTo(7);
    }

    @Test
    void listsWhatOnlyOneOfThemHas() throws Exception {
        write("a", DigestRows.consumed(1, 0, 0, 10));
        write("b", DigestRows.consumed(1, 0, 5, 12));
        write("b", List.of(DigestRows.served("eval", 2, 0)));
        DigestComparison comparison = compare();
        assertThat(comparison.onlyInFirst()).containsExactly(new Gap("train", 0, 0, 4));
        assertThat(comparison.onlyInSecond())
                .containsExactly(new Gap("eval", 2, 0, 0), new Gap("train", 0, 10, 11));
        assertThat(comparison.difference()).isNull();
    }

    private RunDirectory run(String name) {
        return new RunDirectory(directory.resolve(name).toString());
    }

    private void write(String name, List<DigestRow> rows) throws Exception {
        try (DigestWriter writer =
                new DigestWriter(run(name), DigestRetention.KEEP, Duration.ofDays(1))) {
            rows.forEach(writer::add);
            writer.whenDurable().get();
        }
    }

    private DigestComparison compare() throws IOException {
        return DigestComparison.of(new DigestArchive(run("a")), new DigestArchive(run("b")));
    }
}
