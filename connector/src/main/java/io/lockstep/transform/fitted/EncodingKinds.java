package io.lockstep.transform.fitted;

import io.lockstep.transform.column.ColumnKinds;
import io.lockstep.transform.parameter.Kind;
import io.lockstep.transform.parameter.Parameter;
import io.lockstep.transform.parameter.ParameterType;
import io.lockstep.transform.parameter.Parameters;
import java.util.List;

/** The kinds that replace values by codes or numbers of their categories. */
final class EncodingKinds {

    private static final int MAX_BINS = 1000;

    private static final Parameter<Integer> BINS =
            Parameter.optional(
                    "bins",
                    ParameterType.integer(2, MAX_BINS),
                    10,
                    "The number of bins; default: 10.");

    private static final Parameter<Integer> MIN_COUNT =
            Parameter.optional(
                    "min_count",
                    ParameterType.integer(1),
                    1,
                    "Leaves out values that are less frequent; default: 1.");

    private static final Parameter<Integer> MAX_SIZE =
            Parameter.optional(
                    "max_size",
                    ParameterType.integer(1),
                    Integer.MAX_VALUE,
                    "The most values in the vocabulary, the most frequent ones; default: all, up to"
                            + " 16,777,216 or 1 GiB of texts.");

    private static final Parameter<Integer> OOV =
            Parameter.optional(
                    "oov",
                    ParameterType.integer(0),
                    1,
                    "How many codes, from 0 on, stand for values that are not in the vocabulary;"
                            + " default: 1. With 0, such a value fails the run.");

    private static final Parameter<String> TARGET =
            Parameter.required("target", ParameterType.TEXT, "The column with the target.");

    private static final Parameter<Double> SMOOTH =
            Parameter.optional(
                    "smooth",
                    ParameterType.number(0),
                    10.0,
                    "How many rows with the mean target are added to each value; default: 10.");

    static final Kind QUANTILE_BINS =
            Kind.of(
                    "quantile_bins",
                    "Replaces numbers by an int64 bin: the number of edges that are not above x,"
                            + " where the edges are the distinct quantiles i / bins for i from 1 to"
                            + " bins - 1, exact, linear between two values. Nulls stay null; NaN"
                            + " fails the run.",
                    List.of(ColumnKinds.COLUMNS, BINS),
                    (spec, parameters) ->
                            new UnfittedColumns(
                                    spec,
                                    1,
                                    columns(parameters),
                                    new BinFormula(parameters.get(BINS))));

    static final Kind VOCABULARY =
            Kind.of(
                    "vocabulary",
                    "Replaces texts, whole numbers and booleans by int64 codes: oov + the place of the"
                            + " value in the vocabulary, which begins with the most frequent value;"
                            + " of equally frequent ones, the smaller comes first, texts by their"
                            + " UTF-8 bytes. Other values get `XXH3_64(bytes) mod oov`, as in `hash`."
                            + " In lists, each element. Nulls stay null.",
                    List.of(ColumnKinds.COLUMNS, MIN_COUNT, MAX_SIZE, OOV),
                    (spec, parameters) ->
                            new UnfittedColumns(
                                    spec,
                                    1,
                                    columns(parameters),
                                    new VocabularyFormula(
                                            parameters.get(MIN_COUNT),
                                            parameters.get(MAX_SIZE),
                                            parameters.get(OOV))));

    static final Kind FREQUENCY_ENCODE =
            Kind.of(
                    "frequency_encode",
                    "Replaces texts, numbers and booleans by a float64: `rows with this value / rows"
                            + " with a value`, and 0 for a value that was not there. Nulls stay null;"
                            + " NaN counts as no value and becomes 0.",
                    List.of(ColumnKinds.COLUMNS),
                    (spec, parameters) ->
                            new UnfittedColumns(
                                    spec, 1, columns(parameters), FrequencyFormula.INSTANCE));

    static final Kind TARGET_ENCODE =
            Kind.of(
                    "target_encode",
                    "Replaces texts, numbers and booleans by a float64: `(sum + smooth * mean) / (count"
                            + " + smooth)`, with the sum of the target over the rows with this value"
                            + " and their count, and the mean of the target over all rows. A null and"
                            + " a value that was not there become the mean. Rows whose target is null"
                            + " or NaN do not count. Each row's own target is part of its encoding: a"
                            + " large `smooth` limits what it reveals.",
                    List.of(ColumnKinds.COLUMNS, TARGET, SMOOTH),
                    (spec, parameters) ->
                            new UnfittedColumns(
                                    spec,
                                    1,
                                    columns(parameters),
                                    new TargetFormula(
                                            parameters.get(TARGET), parameters.get(SMOOTH))));

    private EncodingKinds() {}

    private static List<String> columns(Parameters parameters) {
        return parameters.get(ColumnKinds.COLUMNS);
    }
}
