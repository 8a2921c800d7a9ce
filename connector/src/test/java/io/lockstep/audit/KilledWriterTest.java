package io.lockstep.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.digest.Digest128;
import io.lockstep.run.RunDirectory;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer whose process is killed, and another that continues in the same directory. */
class KilledWriterTest {

    @TempDir Path directory;

    /**
     * The number of lines after which the process is killed, so that it is killed at different
     * points.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 9, 40})
    void losesNothingThatWasDurableAndDamagesNothing(int lines) throws Exception {
        long first = writeAndKill(1, lines);
        long second = writeAndKill(2, lines);
        DigestArchive archive = new DigestArchive(new RunDirectory(directory.toString()));
        RecordedSteps steps = archive.steps("train", 0);
        long expected = 0;
        for (Optional<RecordedStep> next = steps.next(); next.isPresent(); next = steps.next()) {
            RecordedStep step = next.get();
            assertThat(step.step()).isEqualTo(expected);
            Digest128 digest = DigestRows.digest(0, step.step(), 3);
            assertThat(step.digests(3)).containsExactly(digest);
            List<Long> generations =
                    step.lanes().get(3).stream().map(Evidence::generation).toList();
            if (expected < first) {
                assertThat(generations).contains(1L);
            }
            if (expected < second) {
                assertThat(generations).contains(2L);
            }
            expected++;
        }
        assertThat(expected).isGreaterThanOrEqualTo(Math.max(first, second));
    }

    /** Returns the number of rows that the process reported as durable. */
    private long writeAndKill(long generation, int lines) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                DigestWriterProcess.class.getName(),
                                directory.toString(),
                                Long.toString(generation))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader out = process.inputReader()) {
            long durable = 0;
            for (int i = 0; i < lines; i++) {
                durable = Long.parseLong(out.readLine());
            }
            // Not through the Process object, which would close the pipe and drop its unread
            // content.
            process.toHandle().destroyForcibly();
            String last = null;
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                // The last line may be incomplete.
                durable = last == null ? durable : Long.parseLong(last);
                last = line;
            }
            return durable;
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
