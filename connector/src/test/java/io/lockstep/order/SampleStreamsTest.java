package io.lockstep.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every vector of the numbers drawn for samples, and what the vectors do not cover. */
class SampleStreamsTest {

    private static final JsonNode VECTORS = Specification.json("distributions.json");

    @Test
    void theWordsAreThoseOfTheOrder() {
        for (JsonNode vector : Specification.golden().get("sample_streams")) {
            long[] sample = {Long.parseUnsignedLong(vector.get("sample").asText())};
            SampleStreams streams =
                    new SampleStreams(
                            Long.parseUnsignedLong(vector.get("seed").asText()),
                            vector.get("transform").asText(),
                            vector.get("epoch").asLong(),
                            sample);
            long[] words = new long[vector.get("words").size()];
            streams.words(words.length, words);
            assertThat(words).isEqualTo(integers(vector.get("words")));
        }
    }

    @Test
    void numbersOfWords() {
        for (JsonNode vector : VECTORS.get("numbers")) {
            long word = Long.parseUnsignedLong(vector.get("word").asText());
            assertSameBits(UniformNumber.ofDouble(word), vector.get("uniform"));
            assertSameBits(UniformNumber.ofFloat(word), vector.get("uniform_float32"));
            assertSameBits(NormalNumber.of(word), vector.get("normal"));
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void drawsContinueTheStreams(JsonNode vector) {
        long[] samples = integers(vector.get("samples"));
        SampleStreams streams =
                new SampleStreams(
                        Long.parseUnsignedLong(vector.get("seed").asText()),
                        vector.get("name").asText(),
                        vector.get("epoch").asLong(),
                        samples);
        for (JsonNode draw : vector.get("draws")) {
            assertThat(drawn(streams, samples.length, draw))
                    .as(draw.get("draw").asText())
                    .isEqualTo(expected(draw));
        }
    }

    @Test
    void rowsOfAnyLengthContinueWhereTheLastEnded() {
        long[] samples = {3, 1L << 50, 3};
        SampleStreams streams = new SampleStreams(7, "train/jitter", 1, samples);
        RandomStream[] single = new RandomStream[samples.length];
        for (int i = 0; i < samples.length; i++) {
            single[i] = RandomStream.ofSample(7, "train/jitter", 1, samples[i]);
        }
        for (int count : new int[] {0, 1, 2, 4, 1, 5, 3, 8, 0, 9, 17}) {
            long[] words = new long[samples.length * count];
            streams.words(count, words);
            for (int at = 0; at < words.length; at++) {
                assertThat(words[at]).isEqualTo(single[at / count].next());
            }
        }
    }

    @Test
    void impossibleDrawsAreRefused() {
        SampleStreams streams = new SampleStreams(7, "train/jitter", 1, new long[3]);
        assertThatThrownBy(() -> streams.integers(0, 1, new long[3]))
                .hasMessage("integers in [0, 0) do not exist");
        assertThatThrownBy(() -> streams.normal(2, new double[5]))
                .hasMessage("2 numbers for each of 3 samples do not fit into an array of 5");
        assertThatThrownBy(() -> streams.words(Integer.MAX_VALUE, new long[5]))
                .hasMessageContaining("do not fit into an array of 5");
        assertThatThrownBy(() -> streams.permutations(-1, new int[5]))
                .hasMessageContaining("do not fit");
    }

    @Test
    void coefficientsAreCounted() {
        assertThatThrownBy(() -> NormalCoefficients.load(7))
                .hasMessage("normal.json has 1484 coefficients instead of 7");
    }

    static Iterable<JsonNode> cases() {
        return VECTORS.get("cases");
    }

    /** The numbers as text of which each stands for one value. */
    private static List<String> drawn(SampleStreams streams, int samples, JsonNode draw) {
        int n = draw.get("n").isNull() ? 0 : (int) draw.get("n").asLong();
        int count = draw.get("count").isNull() ? n : draw.get("count").asInt();
        long[] integers = new long[samples * count];
        double[] doubles = new double[samples * count];
        List<String> texts = new ArrayList<>();
        switch (draw.get("draw").asText()) {
            case "words":
                streams.words(count, integers);
                for (long word : integers) {
                    texts.add(Long.toUnsignedString(word));
                }
                break;
            case "integers":
                streams.integers(draw.get("n").asLong(), count, integers);
                for (long integer : integers) {
                    texts.add(Long.toString(integer));
                }
                break;
            case "permutation":
                int[] places = new int[samples * count];
                streams.permutations(n, places);
                for (int place : places) {
                    texts.add(Integer.toString(place));
                }
                break;
            case "uniform_float32":
                float[] floats = new float[samples * count];
                streams.uniform(count, floats);
                for (float number : floats) {
                    texts.add(Double.toHexString(number));
                }
                break;
            case "uniform":
                streams.uniform(count, doubles);
                for (double number : doubles) {
                    texts.add(Double.toHexString(number));
                }
                break;
            case "normal":
                streams.normal(count, doubles);
                for (double number : doubles) {
                    texts.add(Double.toHexString(number));
                }
                break;
            default:
                throw new AssertionError(draw);
        }
        return texts;
    }

    private static List<String> expected(JsonNode draw) {
        List<String> texts = new ArrayList<>();
        for (JsonNode row : draw.get("values")) {
            for (JsonNode value : row) {
                String text = value.asText();
                // Python writes hex numbers with all digits.
                texts.add(text.contains("x") ? Double.toHexString(Double.parseDouble(text)) : text);
            }
        }
        return texts;
    }

    private static void assertSameBits(double actual, JsonNode expected) {
        assertThat(Double.doubleToRawLongBits(actual))
                .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(expected.asText())));
    }

    private static long[] integers(JsonNode texts) {
        long[] integers = new long[texts.size()];
        for (int i = 0; i < integers.length; i++) {
            integers[i] = Long.parseUnsignedLong(texts.get(i).asText());
        }
        return integers;
    }
}
