package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every vector of the order's specification, including the manifest vectors. */
class GoldenVectorsTest {

    private static final JsonNode GOLDEN = Specification.golden();

    @Test
    void philoxBlocks() {
        for (JsonNode vector : GOLDEN.get("philox")) {
            long[] c = words(vector.get("counter"));
            long[] key = words(vector.get("key"));
            long[] out = new long[4];
            Philox4x64.block(c[0], c[1], c[2], c[3], new RandomKey(key[0], key[1]), out, 0);
            assertThat(out).isEqualTo(words(vector.get("block")));
        }
    }

    @Test
    void derivedKeys() {
        for (JsonNode vector : GOLDEN.get("keys")) {
            long[] key = words(vector.get("key"));
            assertThat(key(vector)).isEqualTo(new RandomKey(key[0], key[1]));
        }
    }

    @Test
    void sampleStreams() {
        for (JsonNode vector : GOLDEN.get("sample_streams")) {
            RandomStream stream =
                    RandomStream.ofSample(
                            word(vector.get("seed")),
                            vector.get("transform").asText(),
                            vector.get("epoch").asLong(),
                            word(vector.get("sample")));
            assertNextWords(stream, vector.get("words"));
        }
    }

    @Test
    void stepStreams() {
        for (JsonNode vector : GOLDEN.get("step_streams")) {
            RandomStream stream =
                    RandomStream.ofStep(
                            word(vector.get("seed")),
                            vector.get("epoch").asLong(),
                            vector.get("step").asLong(),
                            vector.get("first_lane").asInt());
            assertNextWords(stream, vector.get("words"));
        }
    }

    @Test
    void boundedNumbers() {
        for (JsonNode vector : GOLDEN.get("below")) {
            RandomStream stream = new RandomStream(key(vector));
            long bound = word(vector.get("n"));
            for (long expected : words(vector.get("values"))) {
                assertThat(stream.below(bound)).isEqualTo(expected);
            }
        }
    }

    @Test
    void permutations() {
        for (JsonNode vector : GOLDEN.get("permutations")) {
            int[] permutation = RandomStream.permutation(vector.get("n").asInt(), key(vector));
            assertThat(permutation).isEqualTo(ints(vector.get("values")));
        }
    }

    @Test
    void lanesOfRanks() {
        for (JsonNode vector : GOLDEN.get("ranks")) {
            int lanes = vector.get("lanes").asInt();
            int world = vector.get("world").asInt();
            OrderSettings settings = new OrderSettings(0, lanes, lanes, 1, Shuffle.LANE, Tail.DROP);
            Order order = new Order(settings, new long[] {lanes});
            for (int rank = 0; rank < world; rank++) {
                int[] served = ints(vector.get("served").get(rank));
                assertThat(order.rankLanes(rank, world, true)).isEqualTo(served);
                assertThat(Order.firstLane(rank, world, lanes)).isEqualTo(served[0]);
            }
        }
    }

    @Test
    void fingerprints() {
        for (JsonNode vector : GOLDEN.get("fingerprints")) {
            assertThat(order(vector.get("order")).fingerprint(vector.get("manifest").asText()))
                    .isEqualTo(vector.get("fingerprint").asText());
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void windowsOfEveryEpoch(JsonNode vector) {
        Order order = order(vector.get("order"));
        for (JsonNode epoch : vector.get("epochs")) {
            for (int lane = 0; lane < order.settings().lanes(); lane++) {
                LaneEpoch laneEpoch = order.laneEpoch(epoch.get("epoch").asLong(), lane);
                assertThat(slices(laneEpoch)).isEqualTo(slices(epoch.get("windows").get(lane)));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void samplesOfEveryEpoch(JsonNode vector) {
        Order order = order(vector.get("order"));
        assertThat(order.steps()).isEqualTo(vector.get("steps").asLong());
        for (JsonNode epoch : vector.get("epochs")) {
            long[][] lanes = signedSamples(order, epoch.get("epoch").asLong());
            for (int lane = 0; lane < lanes.length; lane++) {
                assertThat(lanes[lane]).isEqualTo(longs(epoch.get("lanes").get(lane)));
            }
        }
    }

    @Test
    void sequentialSteps() {
        for (JsonNode vector : GOLDEN.get("sequential")) {
            Order order = order(vector.get("order"));
            assertThat(order.fingerprint("00".repeat(32)))
                    .isEqualTo(vector.get("fingerprint").asText());
            assertThat(order.steps()).isEqualTo(vector.get("steps").size());
            long[][] lanes = signedSamples(order, 3);
            int perLane = order.settings().perLane();
            for (int step = 0; step < order.steps(); step++) {
                JsonNode expected = vector.get("steps").get(step);
                for (int lane = 0; lane < lanes.length; lane++) {
                    int from = step * perLane;
                    assertThat(Arrays.copyOfRange(lanes[lane], from, from + perLane))
                            .isEqualTo(longs(expected.get(lane)));
                }
            }
        }
    }

    @Test
    @EnabledIf("specificationIsBeside")
    void copiesAreTheSpecifications() throws IOException {
        Path beside = Specification.beside().orElseThrow();
        for (String file : List.of(Specification.GOLDEN, Specification.ORACLE)) {
            assertThat(Specification.resource(file))
                    .as("the test resource %s", file)
                    .isEqualTo(Files.readAllBytes(beside.resolve(file)));
        }
    }

    static boolean specificationIsBeside() {
        return Specification.beside().isPresent();
    }

    static Stream<JsonNode> cases() {
        return IntStream.range(0, GOLDEN.get("cases").size()).mapToObj(GOLDEN.get("cases")::get);
    }

    private static Order order(JsonNode settings) {
        return new Order(
                new OrderSettings(
                        word(settings.get("seed")),
                        settings.get("lanes").asInt(),
                        settings.get("batch").asInt(),
                        settings.get("window").asInt(),
                        Shuffle.valueOf(upper(settings.get("shuffle"))),
                        Tail.valueOf(upper(settings.get("tail")))),
                longs(settings.get("rows")));
    }

    private static String upper(JsonNode name) {
        return name.asText().toUpperCase(Locale.ROOT);
    }

    /** Returns each lane's samples of all steps; padding is encoded as -1 - sample. */
    private static long[][] signedSamples(Order order, long epoch) {
        int perLane = order.settings().perLane();
        long[][] lanes = new long[order.settings().lanes()][(int) order.steps() * perLane];
        for (int step = 0; step < order.steps(); step++) {
            StepPlan plan = order.step(epoch, step);
            for (int lane = 0; lane < lanes.length; lane++) {
                for (int place = 0; place < perLane; place++) {
                    long sample = plan.sample(lane, place);
                    lanes[lane][step * perLane + place] =
                            plan.isPadding(lane, place) ? -1 - sample : sample;
                }
            }
        }
        return lanes;
    }

    private static List<List<Slice>> slices(LaneEpoch lane) {
        return lane.windows().stream().map(Window::slices).toList();
    }

    private static List<List<Slice>> slices(JsonNode windows) {
        List<List<Slice>> found = new ArrayList<>();
        for (JsonNode window : windows) {
            List<Slice> slices = new ArrayList<>();
            for (JsonNode slice : window) {
                long[] numbers = longs(slice);
                slices.add(new Slice((int) numbers[0], numbers[1], numbers[2]));
            }
            found.add(slices);
        }
        return found;
    }

    private static void assertNextWords(RandomStream stream, JsonNode expected) {
        for (long word : words(expected)) {
            assertThat(stream.next()).isEqualTo(word);
        }
    }

    private static RandomKey key(JsonNode vector) {
        return RandomKey.derive(
                word(vector.get("seed")),
                vector.get("purpose").asText(),
                vector.get("epoch").asLong(),
                word(vector.get("index")));
    }

    private static long word(JsonNode text) {
        return Long.parseUnsignedLong(text.asText());
    }

    private static long[] words(JsonNode array) {
        long[] words = new long[array.size()];
        for (int i = 0; i < words.length; i++) {
            words[i] = word(array.get(i));
        }
        return words;
    }

    private static long[] longs(JsonNode array) {
        return IntStream.range(0, array.size()).mapToLong(i -> array.get(i).asLong()).toArray();
    }

    private static int[] ints(JsonNode array) {
        return IntStream.range(0, array.size()).map(i -> array.get(i).asInt()).toArray();
    }
}
