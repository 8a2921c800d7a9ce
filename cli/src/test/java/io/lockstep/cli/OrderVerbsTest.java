package io.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.order.Order;
import io.lockstep.order.OrderSettings;
import io.lockstep.order.Place;
import io.lockstep.order.Shuffle;
import io.lockstep.order.StepPlan;
import io.lockstep.order.Tail;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plan}, {@code order} and {@code locate}. */
class OrderVerbsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir static Path directory;

    private static String data;
    private static String runFile;

    @BeforeAll
    static void writeData() throws Exception {
        data = TestData.numbers(directory.resolve("data")).toString();
        runFile = directory.resolve("my-run.yaml").toString();
        Files.writeString(
                Path.of(runFile),
                """
                streams:
                  train: {data: data, order: {batch: 12, lanes: 4, window: 2, seed: 7}}
                  eval: {data: data, columns: [x], order: {batch: 48, lanes: 4, shuffle: none, tail: pad}}
                """);
    }

    @Test
    void planTellsWhatARunMakesOfADataset() throws Exception {
        Cli.Result result =
                Cli.run("plan", data, "--batch", "12", "--lanes", "4", "--seed", "9", "--json");

        assertThat(result.status()).isZero();
        assertThat(result.err()).isEmpty();
        JsonNode plan = JSON.readTree(result.out());
        List<String> names = new ArrayList<>();
        plan.fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .containsExactly(
                        "files",
                        "rows",
                        "keptRows",
                        "rowGroups",
                        "bytes",
                        "schema",
                        "chain",
                        "lanes",
                        "batch",
                        "window",
                        "shuffle",
                        "tail",
                        "seed",
                        "steps",
                        "worldSizes",
                        "mixedRowGroups",
                        "manifest",
                        "fingerprint",
                        "notes",
                        "skipped");
        assertThat(plan.get("files").asInt()).isEqualTo(3);
        assertThat(plan.get("rows").asInt()).isEqualTo(140);
        assertThat(plan.get("rowGroups").asInt()).isEqualTo(7);
        assertThat(plan.get("bytes").asLong())
                .isEqualTo(
                        Files.size(Path.of(data, "a/one.parquet"))
                                + Files.size(Path.of(data, "b.parquet"))
                                + Files.size(Path.of(data, "c.parquet")));
        assertThat(plan.get("schema").toString())
                .isEqualTo(
                        ("[{'name':'id','type':'int64','selected':true,'readable':true},"
                                        + "{'name':'x','type':'float32','selected':true,'readable':true},"
                                        + "{'name':'name','type':'string','selected':true,'readable':true}]")
                                .replace('\'', '"'));
        assertThat(plan.get("window").asInt()).isEqualTo(32);
        assertThat(plan.get("seed").asText()).isEqualTo("9");
        assertThat(plan.get("seed").isTextual()).isTrue();
        assertThat(plan.get("steps").asInt()).isEqualTo(11);
        assertThat(plan.get("worldSizes").toString()).isEqualTo("[1,2,4]");
        assertThat(plan.get("mixedRowGroups").asInt()).isEqualTo(6);
        OrderSettings settings = new OrderSettings(9, 4, 12, 32, Shuffle.LANE, Tail.DROP);
        assertThat(plan.get("fingerprint").asText())
                .isEqualTo(
                        new Order(settings, TestData.ROWS)
                                .fingerprint(plan.get("manifest").asText()));
    }

    @Test
    void planIsReadableWithoutJson() {
        Cli.Result result = Cli.run("plan", runFile, "--stream", "eval");

        assertThat(result.out())
                .contains("rows         140\n")
                .contains("steps        3 an epoch\n")
                .contains("world sizes  1, 2, 4\n")
                .contains("schema\n  x     float32\n  id    int64    not selected\n");
    }

    @Test
    void columnsAreNamesOrPatternsAndMayBeRepeated() throws Exception {
        Path file = directory.resolve("named.parquet");
        TestData.write(file, "{'id': [1], 'a,b': [2], 'f_1': [3], 'f_2': [4]}");

        assertThat(cat(file, "--columns=id,f_*")).isEqualTo("{\"id\":1,\"f_1\":3,\"f_2\":4}");
        assertThat(cat(file, "--columns=f_2,id", "--columns", "a\\,b"))
                .isEqualTo("{\"f_2\":4,\"id\":1,\"a,b\":2}");
        assertThat(Cli.run("cat", file.toString(), "--columns=a,b").err())
                .contains("There is no column \"a\"");
    }

    private static String cat(Path file, String... columns) {
        List<String> args = new ArrayList<>(List.of("cat", file.toString()));
        args.addAll(List.of(columns));
        return Cli.run(args.toArray(String[]::new))
                .lines()
                .get(0)
                .replaceAll(",\"_sample\":[0-9]+", "");
    }

    @Test
    void oneBadColumnSpoilsOnlyItself() throws Exception {
        Path mixed = directory.resolve("mixed");
        TestData.write(mixed.resolve("a.parquet"), "{'x': range(8)}");
        TestData.write(
                mixed.resolve("b.parquet"), "{'x': range(8), 'k': pa.array(range(8), pa.int32())}");
        String reason = "is int32 in file:%1$s/b.parquet and missing in file:%1$s/a.parquet";

        Cli.Result all = Cli.run("plan", mixed.toString(), "--batch=8", "--json");
        assertThat(all.status()).isEqualTo(1);
        assertThat(all.err()).contains("The column \"k\" " + reason.formatted(mixed));
        JsonNode schema = JSON.readTree(all.out()).get("schema");
        assertThat(schema.get(0).get("readable").asBoolean()).isTrue();
        assertThat(schema.get(1).get("type").asText()).isEqualTo("int32");
        assertThat(schema.get(1).get("readable").asBoolean()).isFalse();
        assertThat(schema.get(1).get("reason").asText())
                .isEqualTo(
                        reason.formatted(mixed)
                                + "; --missing null or schema: {missing: null} reads it");

        Cli.Result chosen = Cli.run("plan", mixed.toString(), "--batch=8", "--columns=x");
        assertThat(chosen.status()).isZero();
        assertThat(chosen.err()).isEmpty();
        assertThat(chosen.out())
                .contains("  k  int32  not readable: " + reason.formatted(mixed) + "; --missing ");
        assertThat(Cli.run("show", mixed.toString(), "--batch=8", "--columns=x").lines())
                .hasSize(8);
    }

    @Test
    void rulesOfTheRunFileReadColumnsThatDiffer() throws Exception {
        Path mixed = directory.resolve("varying");
        TestData.write(mixed.resolve("a.parquet"), "{'x': pa.array([1, 2], pa.int32())}");
        TestData.write(mixed.resolve("b.parquet"), "{'x': [3, 4], 'y': [5, 6]}");
        Path file = directory.resolve("varying.yaml");
        Files.writeString(
                file,
                """
                streams:
                  train:
                    data: varying
                    schema: {missing: null, widen: true}
                    order: {batch: 4, lanes: 1, shuffle: sequential}
                """);

        JsonNode schema = JSON.readTree(Cli.run("plan", file.toString(), "--json").out());
        assertThat(schema.get("schema").toString())
                .isEqualTo(
                        ("[{'name':'x','type':'int64','selected':true,'readable':true},"
                                        + "{'name':'y','type':'int64','selected':true,'readable':true}]")
                                .replace('\'', '"'));
        assertThat(Cli.run("show", file.toString(), "--step=0").lines())
                .extracting(row -> JSON.readTree(row).get("y").asText())
                .containsExactly("null", "null", "5", "6");
    }

    @Test
    void foldersBecomeColumns() throws Exception {
        Path folders = directory.resolve("folders");
        TestData.write(folders.resolve("year=2020/month=07/a.parquet"), "{'x': [1, 2]}");
        TestData.write(folders.resolve("year=2021/month=08/a.parquet"), "{'x': [3, 4]}");
        Path file = directory.resolve("folders.yaml");
        Files.writeString(
                file,
                """
                streams:
                  train:
                    data: folders
                    columns: [month, x]
                    partitions: {month: int32}
                    order: {batch: 4, lanes: 1, shuffle: sequential}
                """);

        assertThat(cat(folders)).isEqualTo("{\"x\":1,\"year\":2020,\"month\":\"07\"}");
        assertThat(Cli.run("show", file.toString(), "--step=0").lines())
                .extracting(row -> JSON.readTree(row).get("month").asInt())
                .containsExactly(7, 7, 8, 8);
        assertThat(Cli.run("plan", file.toString()).out())
                .contains("  month  int32\n  x      int64\n  year   int64  not selected\n");
        Files.writeString(file, Files.readString(file).replace("{month", "{moth"));
        assertThat(Cli.run("plan", file.toString()).err())
                .contains("partitions has the type of \"moth\"")
                .contains("Did you mean \"month\"?");
    }

    @Test
    void optionsSayHowToReadColumnsThatDiffer() throws Exception {
        Path varying = directory.resolve("rules");
        TestData.write(varying.resolve("m=1/a.parquet"), "{'x': pa.array([1], pa.int32())}");
        TestData.write(varying.resolve("m=2/b.parquet"), "{'x': [2**40], 'y': [5]}");
        String[] plain = {"show", varying.toString(), "--batch=2", "--shuffle=none", "--step=0"};
        List<String> rules = new ArrayList<>(List.of(plain));
        rules.addAll(List.of("--widen", "--missing", "null", "--partitions", "m=float32"));

        assertThat(Cli.run(plain).err()).contains("choose columns without it");
        assertThat(Cli.run(rules.toArray(String[]::new)).lines())
                .extracting(row -> row.substring(row.indexOf("\"x\"")))
                .containsExactly(
                        "\"x\":1,\"y\":null,\"m\":1.0,\"_sample\":0}",
                        "\"x\":1099511627776,\"y\":5,\"m\":2.0,\"_sample\":1}");
        List<String> printed =
                Cli.run("cat", varying.toString(), "--widen", "--missing=null", "--columns=y,x")
                        .lines();
        assertThat(printed.get(0)).isEqualTo("{\"y\":null,\"x\":1}");
        assertWrongUse("'drop' is not one of refuse, null", "plan", "d", "--missing", "drop");
        assertWrongUse("'int' is not one of string, int32", "plan", "d", "--partitions", "m=int");
        assertWrongUse("a run file has the order's settings", "plan", "a.yaml", "--widen");
    }

    @Test
    void planTellsThatABatchWithoutShuffleHoldsRowsOfEveryLane() throws Exception {
        JsonNode notes = JSON.readTree(planOfEval("--json").out()).get("notes");

        assertThat(notes).hasSize(1);
        assertThat(notes.get(0).asText())
                .contains("a batch holds rows of all 4 lanes")
                .contains("shuffle: sequential");
        assertThat(planOfEval().out()).contains("note         " + notes.get(0).asText() + "\n");
        for (String[] order :
                new String[][] {{"--shuffle=sequential"}, {"--shuffle=none", "--lanes=1"}}) {
            List<String> args = new ArrayList<>(List.of("plan", data, "--batch=12", "--json"));
            args.addAll(List.of(order));
            JsonNode plan = JSON.readTree(Cli.run(args.toArray(String[]::new)).out());
            assertThat(plan.get("notes").toString()).doesNotContain("holds rows of");
        }
    }

    @Test
    void planTellsThePriceOfOneLane() {
        assertThat(Cli.run("plan", data, "--batch", "67").out())
                .contains("note         with 1 lane only one rank can train");
    }

    @Test
    void planNamesOtherFilesBesideParquet() throws Exception {
        Path notes = Path.of(data).resolve("notes.txt");
        Files.writeString(notes, "a letter");
        try {
            Cli.Result result = Cli.run("plan", data, "--batch", "12", "--json");

            String reason = "its name does not end in .parquet, .parq or .pq";
            assertThat(result.err()).contains("skipped file:" + notes + ": " + reason);
            JsonNode skipped = JSON.readTree(result.out()).get("skipped");
            assertThat(skipped).hasSize(1);
            assertThat(skipped.get(0).get("path").asText()).isEqualTo("file:" + notes);
            assertThat(skipped.get(0).get("reason").asText()).startsWith(reason);
        } finally {
            Files.delete(notes);
        }
    }

    private static Cli.Result planOfEval(String... more) {
        List<String> args = new ArrayList<>(List.of("plan", runFile, "--stream", "eval"));
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void aSequentialBatchHoldsConsecutiveRows() throws Exception {
        List<String> order = List.of(data, "--batch=12", "--lanes=4", "--shuffle=sequential");

        assertThat(run("order", order, "--step", "2").lines())
                .containsExactly(
                        "{\"epoch\": 0, \"step\": 2, \"lanes\": [[24, 25, 26], [27, 28, 29],"
                                + " [30, 31, 32], [33, 34, 35]]}");
        // Of the row groups of 30, 30, 10, 25, 0, 5 and 40 rows, 60 to 71 are of two.
        assertThat(JSON.readTree(run("plan", order, "--json").out()).get("mixedRowGroups").asInt())
                .isEqualTo(2);
        JsonNode place = JSON.readTree(run("locate", order, "--sample", "29", "--json").out());
        assertThat(place.get("step").asLong()).isEqualTo(2);
        assertThat(place.get("lane").asInt()).isEqualTo(1);
        assertThat(place.get("place").asInt()).isEqualTo(2);
        assertThat(run("show", order, "--step", "2", "--rank", "1", "--world", "2").lines())
                .extracting(row -> JSON.readTree(row).get("_sample").asLong())
                .containsExactly(30L, 31L, 32L, 33L, 34L, 35L);
    }

    private static Cli.Result run(String verb, List<String> order, String... more) {
        List<String> args = new ArrayList<>(List.of(verb));
        args.addAll(order);
        args.addAll(List.of(more));
        return Cli.run(args.toArray(String[]::new));
    }

    @Test
    void orderPrintsWhatTheOrderSays() {
        Order order =
                new Order(new OrderSettings(7, 4, 12, 2, Shuffle.LANE, Tail.DROP), TestData.ROWS);

        Cli.Result result =
                Cli.run("order", runFile, "--epoch", "2", "--step", "3", "--steps", "2");

        assertThat(result.status()).isZero();
        assertThat(result.lines())
                .containsExactly(line(order.step(2, 3), 4, 3), line(order.step(2, 4), 4, 3));
    }

    @Test
    void orderMarksPadding() {
        Cli.Result result = Cli.run("order", runFile, "--stream", "eval", "--step", "2");

        assertThat(result.out())
                .contains("[0, true]")
                .contains(" 139")
                .doesNotContain("[24, true]");
    }

    @Test
    void locateIsTheInverseOfOrder() throws Exception {
        Order order =
                new Order(new OrderSettings(7, 4, 12, 2, Shuffle.LANE, Tail.DROP), TestData.ROWS);
        for (long sample : List.of(0L, 65L, 97L, 139L)) {
            Place place = order.locate(1, sample);

            Cli.Result result =
                    Cli.run("locate", runFile, "--epoch", "1", "--sample", "" + sample, "--json");

            JsonNode found = JSON.readTree(result.out());
            assertThat(found.get("sample").asLong()).isEqualTo(sample);
            assertThat(found.get("lane").asInt()).isEqualTo(place.lane());
            assertThat(found.get("place").asInt()).isEqualTo(place.place());
            assertThat(found.get("step").isNull()).isEqualTo(place.dropped());
            if (!place.dropped()) {
                assertThat(found.get("step").asLong()).isEqualTo(place.step());
            }
        }
    }

    @Test
    void locateNamesFileAndRow() {
        assertThat(Cli.run("locate", runFile, "--sample", "97", "--json").out())
                .startsWith(
                        "{\"sample\":97,\"file\":\"b.parquet\",\"rowGroup\":2,\"row\":27,\"step\":");
    }

    @Test
    void locateFindsARowOfAFile() {
        String expected = Cli.run("locate", runFile, "--sample", "65", "--json").out();

        for (String file : List.of("a/one.parquet", "one.parquet", data + "/a/one.parquet")) {
            assertThat(Cli.run("locate", runFile, "--file", file, "--row", "65", "--json").out())
                    .isEqualTo(expected);
        }
        assertThat(Cli.run("locate", runFile, "--file", "b.parquet", "--row", "0").out())
                .startsWith("sample 70 is row 0 of b.parquet (row group 0)\n");
    }

    @Test
    void locateRefusesWhatIsNotThere() {
        assertThat(Cli.run("locate", runFile, "--file", "d.parquet", "--row", "0").err())
                .contains("the dataset has no file 'd.parquet'; did you mean 'b.parquet'?");
        assertThat(Cli.run("locate", runFile, "--file", "c.parquet", "--row", "40").err())
                .contains("c.parquet has 40 rows and no row 40; rows count from 0");
        assertThat(Cli.run("locate", runFile, "--sample", "140").status()).isEqualTo(2);
        assertThat(Cli.run("locate", runFile, "--file", "d.parquet", "--row", "0").status())
                .isEqualTo(2);
    }

    @Test
    void wrongUseIsTold() {
        assertWrongUse("a verb is missing");
        assertWrongUse("there is no verb 'plam'", "plam");
        assertWrongUse("Did you mean: lockstep plan", "plam");
        assertWrongUse("there is no option '--bach'", "plan", "--bach", "4");
        assertWrongUse("there is no option '--bach'", "plan", data, "--bach=4");
        assertWrongUse("'b' is one argument too many", "status", "a", "b");
        assertWrongUse("Missing required parameter: 'TARGET'", "plan");
        assertWrongUse("--batch is missing", "plan", data);
        assertWrongUse("a path is empty", "plan", "", "--batch", "4");
        assertWrongUse("--stream is for runs", "plan", data, "--stream", "x");
        assertWrongUse("a run file has the order's settings", "plan", runFile, "--seed", "1");
        assertWrongUse(
                "the run has no stream 'evel'; did you mean 'eval'?",
                "plan",
                runFile,
                "--stream",
                "evel");
        assertWrongUse("There is no run file none.yaml.", "plan", "none.yaml");
        assertWrongUse("is not a multiple of", "plan", data, "--batch", "10", "--lanes", "3");
        assertWrongUse("'-1' is not a whole number", "plan", data, "--seed", "-1");
        assertWrongUse("lockstep: Missing required argument", "locate", data, "--batch", "4");
        assertWrongUse(
                "Did you mean \"name\"?", "plan", data, "--batch", "4", "--columns", "id,nmae");
    }

    @Test
    void aFaultOfTheDataIsAFailure() {
        Cli.Result none = Cli.run("plan", directory + "/none", "--batch", "4");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).contains(directory + "/none").doesNotContain("\tat ");

        Cli.Result small = Cli.run("plan", data, "--batch", "141");
        assertThat(small.status()).isEqualTo(1);
        assertThat(small.err()).contains("the dataset has 140 rows");
    }

    @Test
    void aStackTraceIsShownOnRequestOnly() {
        assertThat(Cli.run("plan", "--debug", directory + "/none", "--batch", "4").err())
                .contains("\tat ");
    }

    private static void assertWrongUse(String message, String... args) {
        Cli.Result result = Cli.run(args);
        assertThat(result.err()).contains(message).doesNotContain("\tat ");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }

    private static String line(StepPlan plan, int lanes, int perLane) {
        List<List<Long>> ids = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            List<Long> own = new ArrayList<>();
            for (int place = 0; place < perLane; place++) {
                own.add(plan.sample(lane, place));
            }
            ids.add(own);
        }
        return "{\"epoch\": "
                + plan.epoch()
                + ", \"step\": "
                + plan.step()
                + ", \"lanes\": "
                + ids
                + "}";
    }
}
