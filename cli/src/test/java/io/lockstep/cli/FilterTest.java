package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.cli.runfile.RunFileReader;
import io.lockstep.cli.runfile.RunFileWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key {@code filter} of a stream, and what the verbs make of it. */
class FilterTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path directory;

    @BeforeEach
    void writeData() throws Exception {
        TestData.numbers(directory.resolve("data"));
    }

    private String runFile(String filter) throws Exception {
        Path file = directory.resolve("run.yaml");
        Files.writeString(
                file,
                """
                streams:
                  train:
                    data: data
                    columns: [x]
                    filter: %s
                    order: {batch: 12, lanes: 4, window: 2, seed: 7, tail: pad}
                """
                        .formatted(filter));
        return file.toString();
    }

    @Test
    void planShowsTheKeptRows() throws Exception {
        String file = runFile("id % 3 = 0 and name like 'n1%'");
        JsonNode plan = JSON.readTree(Cli.run("plan", file, "--json").out());
        int kept = (int) IntStream.range(0, 140).filter(FilterTest::isKept).count();
        assertThat(plan.get("rows").asInt()).isEqualTo(140);
        assertThat(plan.get("keptRows").asInt()).isEqualTo(kept);
        assertThat(plan.get("steps").asInt()).isEqualTo((kept + 11) / 12);
        assertThat(Cli.run("plan", file).out()).contains(kept + " kept of 140\n");
    }

    private static boolean isKept(int id) {
        return id % 3 == 0 && String.valueOf(id).startsWith("1");
    }

    @Test
    void orderShowAndLocateAgreeOnIdsOfTheWholeDataset() throws Exception {
        String file = runFile("id % 3 = 0");
        List<Integer> all = new ArrayList<>();
        for (String line : Cli.run("order", file, "--steps", "4").lines()) {
            JsonNode step = JSON.readTree(line);
            List<Integer> ids = new ArrayList<>();
            step.get("lanes").forEach(lane -> lane.forEach(id -> ids.add(id.asInt())));
            List<Integer> shown = new ArrayList<>();
            String number = step.get("step").asText();
            for (String row : Cli.run("show", file, "--step", number, "--json").lines()) {
                JsonNode json = JSON.readTree(row);
                shown.add(json.get("_sample").asInt());
                assertThat(json.get("x").floatValue())
                        .isEqualTo((float) (json.get("_sample").asInt() / 3.0));
            }
            // Padding is written as [id, true], which reads as 0 here.
            assertThat(shown).hasSameSizeAs(ids);
            for (int i = 0; i < ids.size(); i++) {
                JsonNode id = step.get("lanes").get(i / 3).get(i % 3);
                assertThat(shown.get(i)).isEqualTo((id.isArray() ? id.get(0) : id).asInt());
            }
            all.addAll(shown);
        }
        assertThat(all).allMatch(id -> id % 3 == 0).contains(0, 69, 138);
        JsonNode place = JSON.readTree(Cli.run("locate", file, "--sample", "69", "--json").out());
        assertThat(place.get("row").asInt()).isEqualTo(69);
        String step = Cli.run("order", file, "--step", place.get("step").asText()).out();
        assertThat(
                        JSON.readTree(step)
                                .get("lanes")
                                .get(place.get("lane").asInt())
                                .get(place.get("place").asInt())
                                .asInt())
                .isEqualTo(69);
    }

    @Test
    void locateSaysThatARowIsLeftOut() throws Exception {
        Cli.Result result = Cli.run("locate", runFile("id % 3 = 0"), "--sample", "70");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains(
                        "sample 70 is row 0 of b.parquet (row group 0), which the filter leaves"
                                + " out");
    }

    @Test
    void aWrongFilterIsToldWithItsLineAndPlace() throws Exception {
        assertRefused(
                "id >",
                2,
                "run.yaml:5: streams.train.filter: `id >`, character 5: expected a value, but found"
                        + " the end");
        assertRefused("[id > 1]", 2, "it must be a condition, such as fare < 500");
        assertRefused(
                "ids > 1",
                1,
                "the filter `ids > 1`, character 1: there is no column \"ids\". Did you mean"
                        + " \"id\"?");
        assertRefused(
                "name > 1",
                1,
                "the filter `name > 1`, character 6: the column \"name\" of type string cannot be"
                        + " compared to 1");
        assertRefused("id", 1, "the filter `id` is no condition");
        assertRefused("id.x > 1", 2, "a field of a nested column cannot be used");
        assertRefused("id < 0", 1, "the filter keeps none of the dataset's 140 rows");
        assertRefused("id < 2", 1, "(the filter keeps 2 of the dataset's 140 rows)");
    }

    private void assertRefused(String filter, int status, String message) throws Exception {
        Cli.Result result = Cli.run("plan", runFile(filter));
        assertThat(result.status()).as(result.err()).isEqualTo(status);
        assertThat(result.err()).contains(message).doesNotContain("\tat ");
        assertThat(result.err().strip().lines()).hasSize(1);
    }

    @Test
    void aColumnThatCannotBeReadIsRefusedInAFilter() throws Exception {
        TestData.write(
                directory.resolve("data/a/one.parquet"), "{'id': [1], 'user': [{'age': 3}]}");
        Files.delete(directory.resolve("data/b.parquet"));
        Files.delete(directory.resolve("data/c.parquet"));
        String file = runFile("user is not null");
        Files.writeString(Path.of(file), Files.readString(Path.of(file)).replace("[x]", "[id]"));
        Cli.Result result = Cli.run("plan", file);
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("the filter `user is not null` cannot use the column \"user\", which is");
    }

    @Test
    void aWrittenRunFileHasTheFilter() throws Exception {
        Path file = Path.of(runFile("'x < 5 and x <> 2.5'"));
        String written = RunFileWriter.write(RunFileReader.read(file));
        assertThat(written).contains("filter: x < 5 and x <> 2.5");
        assertThat(RunFileReader.parse(file, written).streams())
                .isEqualTo(RunFileReader.read(file).streams());
    }
}
