package io.lockstep.transform.statistic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.transform.Statistic;
import io.lockstep.transform.StatisticValue;
import io.lockstep.transform.Table;
import io.lockstep.transform.TransformException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Statistics over row groups, each given as its values. */
class StatisticsTest {

    private static Object[] group(Object... values) {
        return values;
    }

    private static StatisticValue compute(Statistic statistic, Object[]... groups) {
        return compute(statistic.start(), groups);
    }

    private static <P> StatisticValue compute(
            Statistic.Computation<P> computation, Object[]... groups) {
        do {
            for (Object[] group : groups) {
                try (Table table = new Table().column("x", group)) {
                    computation.add(computation.partial(table.rows()));
                }
            }
        } while (!computation.endPass());
        return computation.value();
    }

    private static double[] quantiles(List<Double> probabilities, Object[]... groups) {
        return ((Quantiles) compute(new QuantilesOfColumn("x", probabilities), groups)).values();
    }

    @Test
    void momentsLeaveOutNullsAndNan() {
        Moments moments =
                (Moments)
                        compute(
                                new MomentsOfColumn("x"),
                                group(2.0, null, 4.0),
                                group(Double.NaN),
                                group(4.0, 4.0, 5.0, 5.0, 7.0, 9.0));
        assertThat(moments).isEqualTo(new Moments(8, 5, 4, 2, 9));
        assertThat(moments.scale()).isEqualTo(2);
    }

    @Test
    void momentsOfEqualValuesScaleByOne() {
        Moments moments =
                (Moments) compute(new MomentsOfColumn("x"), group(0.1, 0.1, 0.1), group(0.1, 0.1));
        assertThat(moments.scale()).isEqualTo(1);
        assertThat(moments.min()).isEqualTo(0.1);
    }

    @Test
    void theVarianceOfDistantValuesKeepsItsDigits() {
        Moments moments =
                (Moments)
                        compute(
                                new MomentsOfColumn("x"),
                                group(1e9 + 4, 1e9 + 7),
                                group(1e9 + 13, 1e9 + 16));
        assertThat(moments.mean()).isEqualTo(1e9 + 10);
        assertThat(moments.variance()).isEqualTo(22.5);
    }

    @Test
    void infinitiesAreRefusedByColumn() {
        assertThatThrownBy(
                        () ->
                                compute(
                                        new MomentsOfColumn("x"),
                                        group(1.0, Double.NEGATIVE_INFINITY)))
                .isInstanceOf(TransformException.class)
                .hasMessage(
                        "the column \"x\" is infinite in row 1 of a row group, and a statistic of"
                                + " it would not be finite: clip it first");
    }

    @Test
    void aColumnWithoutValuesHasNoStatistics() {
        for (Statistic statistic :
                List.of(
                        new MomentsOfColumn("x"),
                        new QuantilesOfColumn("x", List.of(0.5)),
                        new CategoriesOfColumn("x", CategoryType.FLOAT, 1, 1))) {
            assertThatThrownBy(() -> compute(statistic, group(Double.NaN, null), group(null, null)))
                    .isInstanceOf(TransformException.class)
                    .hasMessageContaining("the column \"x\" has no values but nulls and NaN");
        }
    }

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertThat(quantiles(List.of(0.5), group(7.0, null, -3.0), group(1.0, Double.NaN, 2.0)))
                .containsExactly(1.5);
        assertThat(quantiles(List.of(0.5), group(7.0), group(-3.0, 1.0))).containsExactly(1);
    }

    @Test
    void quantilesAreLinearBetweenValues() {
        assertThat(quantiles(List.of(0.0, 0.25, 0.9, 1.0), group(10.0, 30.0), group(20.0, 40.0)))
                .containsExactly(10, 17.5, 37, 40);
        assertThat(quantiles(List.of(0.0, 0.5, 1.0), group(-0.0))).containsExactly(0.0, 0.0, 0.0);
    }

    /** More equal values than are kept, so that all digits are counted. */
    @Test
    void quantilesOfManyEqualValuesAreExact() {
        Object[] half = new Object[150_000];
        Arrays.fill(half, -0.3);
        assertThat(quantiles(List.of(0.0, 0.5, 1.0), half, half, group(-7.5, 2.25)))
                .containsExactly(-7.5, -0.3, 2.25);
    }

    @Test
    void quantilesAreThoseOfSortedValues() {
        Random random = new Random(3);
        List<Double> probabilities = new ArrayList<>();
        for (int i = 0; i <= 128; i++) {
            probabilities.add(i / 128.0);
        }
        double[] all = new double[409_601];
        Object[][] groups = new Object[3][];
        int[] cuts = {0, 7, 200_000, all.length};
        for (int i = 0; i < all.length; i++) {
            all[i] = random.nextGaussian() * Math.pow(10, random.nextInt(8) - 4);
        }
        for (int g = 0; g < groups.length; g++) {
            groups[g] = Arrays.stream(all, cuts[g], cuts[g + 1]).boxed().toArray();
        }
        double[] found = quantiles(probabilities, groups);
        Arrays.sort(all);
        for (int i = 0; i <= 128; i++) {
            // 409,600 intervals: every quantile is a value.
            assertThat(found[i]).isEqualTo(all[3200 * i]);
        }
    }

    @Test
    void categoriesComeByCountThenByValue() {
        Categories categories =
                (Categories)
                        compute(
                                new CategoriesOfColumn("x", CategoryType.TEXT, 2, 3),
                                group("b", "é", "z", null, "b"),
                                group("a", "a", "z", "", "é", "é"));
        assertThat(categories.size()).isEqualTo(3);
        assertThat(List.of(categories.value(0), categories.value(1), categories.value(2)))
                .containsExactly("é", "a", "b");
        assertThat(categories.count(0)).isEqualTo(3);
        assertThat(categories.total()).isEqualTo(10);
    }

    @Test
    void ofEquallyFrequentNumbersTheSmallestIsFirst() {
        Statistic first = new CategoriesOfColumn("x", CategoryType.INTEGER, 1, 1);
        assertThat(((Categories) compute(first, group(300L, -2L), group(-2L, 300L, 5L))).value(0))
                .isEqualTo(-2L);
    }

    @Test
    void manyCategoriesAreFoundAgain() {
        Object[] texts = new Object[100_000];
        Arrays.setAll(texts, i -> "text " + i);
        Categories categories =
                (Categories)
                        compute(
                                new CategoriesOfColumn(
                                        "x", CategoryType.TEXT, 1, Integer.MAX_VALUE),
                                texts);
        assertThat(categories.size()).isEqualTo(texts.length);
        try (Table table = new Table().column("x", "text 99999", "text 100000", "text 0")) {
            Categories.Lookup lookup = categories.lookup(table.rows().getVector("x"));
            assertThat(categories.value(lookup.find(0))).isEqualTo("text 99999");
            assertThat(lookup.find(1)).isNegative();
            assertThat(categories.value(lookup.find(2))).isEqualTo("text 0");
        }
    }
}
