package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.cli.runfile.RunFileWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys {@code split} and {@code from} of streams. */
class SplitsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path directory;

    @BeforeEach
    void writeData() throws Exception {
        TestData.numbers(directory.resolve("data"));
    }

    private String runFile(String train, String eval) throws Exception {
        Path file = directory.resolve("run.yaml");
        Files.writeString(
                file,
                """
                streams:
                  eval:
                    %s
                    order: {batch: 4, lanes: 4, shuffle: none, tail: pad}
                  train:
                    data: data
                    columns: [id]
                    %s
                    order: {batch: 12, lanes: 4, window: 2, seed: 7, tail: pad}
                """
                        .formatted(eval, train));
        return file.toString();
    }

    private static Set<Integer> ids(String file, String stream) throws Exception {
        JsonNode plan = JSON.readTree(Cli.run("plan", file, "--stream", stream, "--json").out());
        Set<Integer> ids = new HashSet<>();
        for (int step = 0; step < plan.get("steps").asInt(); step++) {
            for (String row :
                    Cli.run("show", file, "--stream", stream, "--step", "" + step, "--json")
                            .lines()) {
                JsonNode json = JSON.readTree(row);
                assertThat(json.get("id")).isEqualTo(json.get("_sample"));
                ids.add(json.get("id").asInt());
            }
        }
        assertThat(ids).hasSize(plan.get("keptRows").asInt());
        return ids;
    }

    @Test
    void aPartAndTheRestAreTheWholeDataset() throws Exception {
        String file = runFile("split: {eval: 20%}", "from: train");
        Set<Integer> eval = ids(file, "eval");
        Set<Integer> train = ids(file, "train");
        assertThat(eval).hasSizeBetween(10, 50).doesNotContainAnyElementsOf(train);
        assertThat(eval.size() + train.size()).isEqualTo(140);
    }

    @Test
    void thePartHasTheFilterOfItsStream() throws Exception {
        String file = runFile("filter: id >= 40\n    split: {eval: 1/4, by: name}", "from: train");
        Set<Integer> all = ids(file, "eval");
        all.addAll(ids(file, "train"));
        assertThat(all).hasSize(100).allMatch(id -> id >= 40);
        assertThat(Cli.run("plan", file).out()).contains(" kept of 140");
    }

    @Test
    void aWrittenRunFileHasTheSplit() throws Exception {
        Path file = Path.of(runFile("split: {eval: 12.5%, test: 0.1, by: name}", "from: train"));
        String written = RunFileWriter.write(RunFileReader.read(file));
        assertThat(written).contains("from: train").contains("eval: 1/8").contains("by: name");
        assertThat(RunFileReader.parse(file, written).streams())
                .isEqualTo(RunFileReader.read(file).streams());
    }

    @Test
    void aWrongSplitIsToldWithItsLine() throws Exception {
        assertRefused(
                "split: {eval: 10}",
                "from: train",
                2,
                "run.yaml:8: streams.train.split: 'eval' is '10'; it must be a share above 0 and up"
                        + " to 100%, such as 10%, 0.1 or 1/10");
        assertRefused(
                "split: {eval: 60%, test: 50%}",
                "from: train", 2, "streams.train.split: the shares add up to more than 100%");
        assertRefused("split: {by: id}", "data: data", 2, "it names no part");
        assertRefused("split: 10%", "from: train", 2, "it must be names of streams with their");
        assertRefused(
                "split: {eval: 10%, by: nam}",
                "from: train",
                1,
                "the split is by the column \"nam\", and there is none. Did you mean \"name\"?");
        assertRefused(
                "split: {eval: 0.000001}",
                "from: train",
                1,
                "the split keeps none of the dataset's 140 rows");
    }

    @Test
    void aWrongSourceIsToldWithItsLine() throws Exception {
        String split = "split: {eval: 10%}";
        assertRefused(
                split,
                "from: trein",
                2,
                "run.yaml:3: streams.eval.from: there is no other stream 'trein'; did you mean"
                        + " 'train'?");
        assertRefused(
                "split: {test: 10%}",
                "from: train",
                2,
                "the split of the stream 'train' has no part 'eval'; it has [test]");
        assertRefused(
                "schema: {}",
                "from: train",
                2,
                "the stream 'train' has no split; add to it split: {eval: 10%}");
        assertRefused(
                split,
                "from: train\n    filter: id > 3",
                2,
                "streams.eval.filter: a stream with the key 'from' takes this from 'train'; leave"
                        + " it out");
    }

    private void assertRefused(String train, String eval, int status, String message)
            throws Exception {
        Cli.Result result = Cli.run("plan", runFile(train, eval), "--stream", "eval");
        assertThat(result.status()).as(result.err()).isEqualTo(status);
        assertThat(result.err()).contains(message).doesNotContain("\tat ");
        assertThat(result.err().strip().lines()).hasSize(1);
    }
}
