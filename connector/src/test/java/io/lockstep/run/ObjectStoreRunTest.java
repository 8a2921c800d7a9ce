package io.lockstep.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.testing.ObjectStoreFileSystem;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A run directory in an object store, where a rename does not replace an existing file. */
@DisabledForJreRange(min = JRE.JAVA_24, disabledReason = "Hadoop in the plugin needs less")
class ObjectStoreRunTest {

    @RegisterExtension private final ObjectStoreFileSystem objects = new ObjectStoreFileSystem();

    private final RunDirectory run = new RunDirectory("s3://bucket/runs/a");

    @Test
    void filesAreReplaced() throws IOException {
        assertThat(run.readSinks()).isEmpty();
        for (int attempt = 0; attempt < 3; attempt++) {
            SinkEntry sink = new SinkEntry(0, "uri", "host", attempt, "task", Map.of());
            run.writeSink(sink);
            assertThat(run.readSinks()).containsExactly(sink);
            run.writeSettings("attempt: " + attempt);
            assertThat(run.readSettings()).contains("attempt: " + attempt);
        }
        run.clearSinks();
        assertThat(run.readSinks()).isEmpty();

        CommitReport report = new CommitReport(1, "train", 1, 1, 0, 5, 0, "{}", null);
        run.commits().write(report);
        run.commits().write(report);
        assertThat(run.commits().readAll()).containsExactly(report);
        run.commits().delete(1);
        assertThat(run.commits().readAll()).isEmpty();
    }
}
