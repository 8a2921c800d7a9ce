package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import io.lockstep.testing.TestPython;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code show} and {@code cat}, compared with pyarrow. */
class RowVerbsTest {

    private static final OrderSettings ORDER =
            new OrderSettings(7, 4, 12, 2, Shuffle.LANE, Tail.DROP);

    private static final List<String> OPTIONS =
            List.of("--batch", "12", "--lanes", "4", "--window", "2", "--seed", "7");

    private static final long[] TYPES_ROWS = {20, 20, 10};

    @TempDir static Path directory;

    private static String types;
    private static String numbers;

    @BeforeAll
    static void writeData() throws Exception {
        types = directory.resolve("types.parquet").toString();
        TestPython.runResource("write_types.py", types);
        numbers = TestData.numbers(directory.resolve("numbers")).toString();
    }

    @Test
    void catWritesEveryTypeAsJson() throws Exception {
        Cli.Result result = Cli.run("cat", types);

        assertThat(result.err()).isEmpty();
        Path json = Files.write(directory.resolve("rows.json"), result.bytes());
        assertThat(TestPython.runResource("check_json.py", json, types, 50)).isEqualTo("same\n");
    }

    @Test
    void catWritesEveryTypeAsArrow() throws Exception {
        Path arrow = directory.resolve("rows.arrow");

        assertThat(Cli.run("cat", types, "-o", arrow.toString()).bytes()).isEmpty();

        assertThat(TestPython.runResource("check_arrow.py", arrow, types, "all"))
                .isEqualTo("same\n");
    }

    @Test
    void catStopsAtTheLimit() throws Exception {
        Cli.Result result = Cli.run("cat", types, "--limit", "33", "--json");

        Path json = Files.write(directory.resolve("some.json"), result.bytes());
        assertThat(TestPython.runResource("check_json.py", json, types, 33)).isEqualTo("same\n");
        assertThat(Cli.run("cat", types, "--limit", "0").bytes()).isEmpty();
    }

    @Test
    void catGoesThroughFilesInCanonicalOrder() {
        assertThat(Cli.run("cat", numbers, "--columns", "id").lines())
                .hasSize(140)
                .startsWith("{\"id\":0}", "{\"id\":1}")
                .endsWith("{\"id\":139}");
    }

    @Test
    void catPrintsATable() {
        assertThat(
                        Cli.run(
                                        "cat",
                                        numbers,
                                        "--columns",
                                        "name,x",
                                        "--limit",
                                        "2",
                                        "--format",
                                        "table")
                                .out())
                .isEqualTo("name           x\nn0           0.0\nn1    0.33333334\n");
    }

    @Test
    void showGivesTheRowsOfAStepInTheOrderOfTheBatch() throws Exception {
        Path arrow = directory.resolve("step.arrow");
        StepPlan plan = new Order(ORDER, TYPES_ROWS).step(3, 1);

        Cli.Result result =
                Cli.run(
                        show(
                                types,
                                "--epoch",
                                "3",
                                "--step",
                                "1",
                                "--format",
                                "arrow",
                                "-o",
                                arrow.toString()));

        assertThat(result.err()).isEmpty();
        String rows =
                samples(plan, 0, 4).stream().map(String::valueOf).collect(Collectors.joining(","));
        assertThat(TestPython.runResource("check_arrow.py", arrow, types, rows))
                .isEqualTo("same\n");
    }

    @Test
    void showGivesARankItsLanes() {
        StepPlan plan = new Order(ORDER, TestData.ROWS).step(0, 2);

        Cli.Result result =
                Cli.run(show(numbers, "--step", "2", "--rank", "1", "--world", "2", "--json"));

        List<String> expected =
                samples(plan, 2, 4).stream()
                        .map(id -> "\"name\":\"n" + id + "\",\"_sample\":" + id + "}")
                        .toList();
        assertThat(result.lines()).hasSameSizeAs(expected);
        for (int i = 0; i < expected.size(); i++) {
            assertThat(result.lines().get(i)).endsWith(expected.get(i));
        }
    }

    @Test
    void showSaysHowManyRowsArePadding() {
        Cli.Result result =
                Cli.run(
                        "show", numbers, "--batch", "32", "--lanes", "4", "--tail", "pad", "--step",
                        "4");

        assertThat(result.lines()).hasSize(32);
        assertThat(result.err()).contains("20 of the rows are padding");
    }

    @Test
    void wrongUseIsTold() {
        assertThat(Cli.run(show(numbers, "--rank", "1")).err())
                .contains("--rank and --world belong together");
        assertThat(Cli.run(show(numbers, "--rank", "0", "--world", "3")).err())
                .contains("choose a world size of 1, 2 or 4");
        assertThat(Cli.run(show(numbers, "--step", "11")).err())
                .contains("there is no step 11: an epoch has the steps 0 to 10");
        assertThat(Cli.run("cat", numbers, "--json", "--format", "arrow").status()).isEqualTo(2);
        assertThat(Cli.run("cat", numbers, "--format", "xml").status()).isEqualTo(2);
        assertThat(Cli.run("cat", numbers, "--columns", "nmae").err())
                .contains("Did you mean \"name\"?");
        assertThat(Cli.run("cat", numbers, "-o", directory + "/none/x.json").status()).isEqualTo(1);
    }

    private static String[] show(String... more) {
        List<String> args = new ArrayList<>(List.of("show"));
        args.addAll(OPTIONS);
        args.addAll(List.of(more));
        return args.toArray(String[]::new);
    }

    private static List<Long> samples(StepPlan plan, int firstLane, int endLane) {
        List<Long> samples = new ArrayList<>();
        for (int lane = firstLane; lane < endLane; lane++) {
            for (int place = 0; place < ORDER.perLane(); place++) {
                samples.add(plan.sample(lane, place));
            }
        }
        return samples;
    }
}
