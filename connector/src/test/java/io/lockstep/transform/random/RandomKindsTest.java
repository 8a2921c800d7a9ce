package io.lockstep.transform.random;

import static io.lockstep.transform.Table.spec;
import static io.lockstep.transform.Table.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lockstep.order.SampleStreams;
import io.lockstep.transform.StepSamples;
import io.lockstep.transform.Table;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What random transforms make of a few rows: the numbers of the samples' streams. */
class RandomKindsTest {

    private static final long SEED = 7;

    private final Table table = new Table();

    /** Fails if a transform leaves memory behind. */
    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void jitterAddsTheNormalNumbersOfEachSample() {
        table.column("x", 1.0, null, 3.0).column("y", 10f, 20f, Float.NaN).column("n", 1L, 2L, 3L);
        StepSamples samples = new StepSamples("train", SEED, 2, 1, new long[] {5, 9, 11});
        double[] first = new double[3];
        double[] second = new double[3];
        SampleStreams random = new SampleStreams(SEED, "train/jitter", 2, samples.ids());
        random.normal(1, first);
        random.normal(1, second);

        try (VectorSchemaRoot rows =
                table.apply(samples, spec("jitter", "{'columns': ['x', 'y'], 'sigma': 0.5}"))) {
            assertThat(values(rows, "x"))
                    .containsExactly(1.0 + 0.5 * first[0], null, 3.0 + 0.5 * first[2]);
            assertThat(values(rows, "y"))
                    .containsExactly(
                            (float) (10 + 0.5 * second[0]),
                            (float) (20 + 0.5 * second[1]),
                            Float.NaN);
            assertThat(values(rows, "n")).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void eachValueOfATensorHasItsOwnNumber() {
        table.column("a", 0f, 0f).column("b", 0f, 0f);
        StepSamples samples = new StepSamples("train", SEED, 0, 1, new long[] {1, 2});
        double[] noise = new double[4];
        samples.random("jitter").normal(2, noise);

        try (VectorSchemaRoot rows =
                table.apply(
                        samples,
                        spec("pack", "{'columns': '*', 'into': 'f'}"),
                        spec("jitter", "{'columns': 'f', 'sigma': 1}"))) {
            assertThat(values(rows, "f"))
                    .containsExactly(
                            List.of((float) noise[0], (float) noise[1]),
                            List.of((float) noise[2], (float) noise[3]));
        }
    }

    @Test
    void aSampleHasTheSameNumbersInAnyBatch() {
        Object alone = jittered(new long[] {9}).get(0);
        assertThat(jittered(new long[] {5, 9, 11}).get(1)).isEqualTo(alone);
        assertThat(jittered(new long[] {5, 10, 11}).get(1)).isNotEqualTo(alone);
    }

    private static List<Object> jittered(long[] ids) {
        try (Table one = new Table()) {
            Object[] zeros = new Object[ids.length];
            Arrays.fill(zeros, 0.0);
            one.column("x", zeros);
            StepSamples samples = new StepSamples("train", SEED, 0, 1, ids);
            try (VectorSchemaRoot rows =
                    one.apply(samples, spec("jitter", "{'columns': 'x', 'sigma': 1}"))) {
                return values(rows, "x");
            }
        }
    }

    @Test
    void featureDropoutReplacesWhereTheNumberIsBelow() {
        Object[] ones = new Object[1000];
        long[] ids = new long[1000];
        for (int i = 0; i < ids.length; i++) {
            ones[i] = 1.0;
            ids[i] = i;
        }
        table.column("x", ones);
        StepSamples samples = new StepSamples("train", SEED, 0, 1, ids);
        double[] numbers = new double[1000];
        samples.random("feature_dropout").uniform(1, numbers);
        try (VectorSchemaRoot rows =
                table.apply(
                        samples,
                        spec("feature_dropout", "{'columns': 'x', 'p': 0.25, 'value': -1}"))) {
            List<Object> dropped = values(rows, "x");
            for (int i = 0; i < ids.length; i++) {
                assertThat(dropped.get(i)).isEqualTo(numbers[i] < 0.25 ? -1.0 : 1.0);
            }
            assertThat(dropped.stream().filter(value -> value.equals(-1.0)).count())
                    .isBetween(200L, 300L);
        }
    }

    @Test
    void mixupMixesWithinALane() {
        table.column("x", 0.0, 1.0, 100.0, 101.0).column("y", 0.0, 1.0, 0.0, 1.0);
        StepSamples samples = new StepSamples("train", SEED, 0, 2, new long[] {3, 4, 5, 6});
        long[] partners = new long[4];
        double[] numbers = new double[4];
        SampleStreams random = samples.random("mixup");
        random.integers(2, 1, partners);
        random.uniform(1, numbers);
        BetaQuantiles weights = new BetaQuantiles(0.4);
        double[] before = {0, 1, 100, 101};
        try (VectorSchemaRoot rows =
                table.apply(samples, spec("mixup", "{'columns': ['x', 'y'], 'alpha': 0.4}"))) {
            for (int row = 0; row < 4; row++) {
                double weight = weights.at(numbers[row]);
                double other = before[row / 2 * 2 + (int) partners[row]];
                double x = weight * before[row] + (1 - weight) * other;
                assertThat(values(rows, "x").get(row)).isEqualTo(x);
                assertThat((Double) values(rows, "y").get(row)).isEqualTo(x % 100, within(1e-9));
            }
        }
    }

    @Test
    void theBetaQuantilesAreThoseOfTheDistribution() {
        for (double p : new double[] {0.001, 0.25, 0.5, 0.9}) {
            assertThat(new BetaQuantiles(1).at(p)).isEqualTo(p, within(1e-12));
            double arcsine = Math.pow(Math.sin(Math.PI * p / 2), 2);
            assertThat(new BetaQuantiles(0.5).at(p)).isEqualTo(arcsine, within(1e-6));
        }
        assertThat(new BetaQuantiles(2).at(0.25)).isEqualTo(0.326351822333, within(1e-9));
        assertThat(new BetaQuantiles(0.01).at(0.25)).isLessThan(1e-9);
        assertThat(new BetaQuantiles(100).at(0.25)).isEqualTo(0.47622, within(1e-4));
    }

    @Test
    void wrongColumnsAndParametersAreNamed() {
        table.column("n", 1L);
        StepSamples samples = new StepSamples("train", SEED, 0, 1, new long[] {1});
        assertThatThrownBy(
                        () -> table.apply(samples, spec("jitter", "{'columns': 'n', 'sigma': 1}")))
                .hasMessageContaining("The transform 'jitter': the column \"n\" is of type int64")
                .hasMessageContaining("use cast or pack before");
        assertThatThrownBy(() -> table.apply(spec("jitter", "{'columns': 'n', 'sigma': -1}")))
                .hasMessageContaining("'sigma' is -1.0; it must be at least 0");
    }
}
