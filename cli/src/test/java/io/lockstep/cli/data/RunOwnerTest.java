package io.lockstep.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.Tail;
import io.lockstep.python.PythonSettings;
import io.lockstep.source.StreamSpec;
import io.lockstep.transform.TransformSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions of another user are not run without consent. */
class RunOwnerTest {

    @TempDir private Path folder;

    private static StreamSpec stream(TransformSpec... transforms) {
        OrderSettings order = new OrderSettings(0, 1, 64, 1, Shuffle.LANE, Tail.DROP);
        return new StreamSpec("train", List.of("/data"), List.of(), order, 1)
                .with(List.of(transforms));
    }

    private static TransformSpec function() {
        return new TransformSpec("mine", "python", "{}").with(PythonSettings.defaults());
    }

    @Test
    void functionsOfAnotherUserAreRefusedByName() throws IOException {
        Files.createFile(folder.resolve("run.yaml"));
        String root = folder.toString();

        assertThat(new RunOwner(root, -1).refusal(stream(function()), "run.yaml"))
                .hasValueSatisfying(
                        message ->
                                assertThat(message)
                                        .startsWith("the run directory " + root + " belongs to")
                                        .contains("Python functions (mine)", root + "/run.yaml")
                                        .endsWith("--trust"));
        assertThat(RunOwner.of(root).refusal(stream(function()), "run.yaml")).isEmpty();
        assertThat(new RunOwner(root, -1).refusal(stream(), "run.yaml")).isEmpty();
    }

    @Test
    void nobodyKnowsWhoWroteWhatIsNotOnThisHost() throws IOException {
        assertThat(RunOwner.of("s3://runs/a").refusal(stream(function()), "run.yaml"))
                .hasValueSatisfying(
                        message ->
                                assertThat(message)
                                        .contains("is not on this host")
                                        .endsWith("--trust"));
    }
}
