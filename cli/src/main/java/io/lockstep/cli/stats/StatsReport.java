package io.lockstep.cli.stats;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lockstep.Plural;
import io.lockstep.Printable;
import io.lockstep.transform.FittedValues;
import io.lockstep.transform.StatisticValue;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a plan tells of the values of a stream, for people and as JSON.
 *
 * @param columns those that the stream reads, before its transforms
 * @param fitted the statistics of its transforms
 */
public record StatsReport(String stream, List<ColumnSummary> columns, FittedValues fitted) {

    /** Writes the fields {@code stats} and {@code fitted} of an object. */
    public void write(JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("stats");
        for (ColumnSummary column : columns) {
            write(column, out);
        }
        out.writeEndArray();
        out.writeArrayFieldStart("fitted");
        for (var transform : fitted.byTransform().entrySet()) {
            for (var column : transform.getValue().entrySet()) {
                for (var figure : column.getValue().figures().entrySet()) {
                    out.writeStartObject();
                    out.writeStringField("stream", stream);
                    out.writeStringField("transform", transform.getKey());
                    out.writeStringField("column", column.getKey());
                    out.writeStringField("statistic", figure.getKey());
                    out.writeFieldName("value");
                    write(figure.getValue(), out);
                    out.writeEndObject();
                }
            }
        }
        out.writeEndArray();
    }

    private static void write(ColumnSummary column, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", column.name());
        out.writeStringField("type", column.type());
        out.writeNumberField("rows", column.rows());
        out.writeNumberField("nulls", column.nulls());
        out.writeNumberField("nans", column.nans());
        out.writeFieldName("min");
        write(column.min(), out);
        out.writeFieldName("max");
        write(column.max(), out);
        out.writeFieldName("distinct");
        write(column.distinct(), out);
        out.writeBooleanField("exact", column.exact());
        if (column.counts() != null) {
            out.writeArrayFieldStart("counts");
            for (Map.Entry<Object, Long> each : column.counts().entrySet()) {
                out.writeStartObject();
                out.writeFieldName("value");
                write(each.getKey(), out);
                out.writeNumberField("rows", each.getValue());
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        out.writeEndObject();
    }

    /** JSON has no infinities; they become texts. */
    private static void write(Object value, JsonGenerator out) throws IOException {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof Double number && !number.isInfinite()) {
            out.writeNumber(number);
        } else if (value instanceof Long || value instanceof Integer) {
            out.writeNumber(((Number) value).longValue());
        } else if (value instanceof BigInteger number) {
            out.writeNumber(number);
        } else if (value instanceof Boolean truth) {
            out.writeBoolean(truth);
        } else {
            out.writeString(value.toString());
        }
    }

    /** Prints a line for each column, and one for each fitted column of a transform. */
    public void print(PrintStream out) {
        out.println("statistics");
        int width = width(columns.stream().map(ColumnSummary::name).toList());
        for (ColumnSummary column : columns) {
            String name = Printable.of(column.name());
            out.printf("  %-" + width + "s  %s%n", name, line(column));
        }
        if (!fitted.byTransform().isEmpty()) {
            out.println("fitted");
            fitted.byTransform()
                    .forEach(
                            (transform, byColumn) ->
                                    byColumn.forEach(
                                            (column, value) ->
                                                    out.println(
                                                            "  "
                                                                    + transform
                                                                    + " of "
                                                                    + Printable.of(column)
                                                                    + ": "
                                                                    + figures(value))));
        }
    }

    private static String line(ColumnSummary column) {
        StringBuilder line = new StringBuilder();
        line.append(share(column.nulls(), column.rows())).append(" null");
        if (column.nans() > 0) {
            line.append(", ").append(share(column.nans(), column.rows())).append(" NaN");
        }
        if (column.min() != null) {
            line.append(", ").append(text(column.min())).append(" to ").append(text(column.max()));
        }
        if (column.distinct() != null) {
            line.append(column.exact() ? ", " : ", about ")
                    .append(Plural.of(column.distinct(), "value"));
        }
        if (column.counts() != null && !column.counts().isEmpty()) {
            String counts =
                    column.counts().entrySet().stream()
                            .map(
                                    each ->
                                            text(each.getKey())
                                                    + " "
                                                    + share(each.getValue(), column.rows()))
                            .collect(Collectors.joining(", "));
            line.append(": ").append(counts);
        }
        return line.toString();
    }

    private static String figures(StatisticValue value) {
        return value.figures().entrySet().stream()
                .map(each -> each.getKey() + " " + text(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static String text(Object value) {
        return Printable.of(
                value instanceof Double number
                        ? String.format(Locale.ROOT, "%.6g", number)
                                .replaceFirst("[.]?0+(?=$|e)", "")
                        : value.toString());
    }

    private static String share(long part, long all) {
        return String.format(Locale.ROOT, "%.1f%%", all == 0 ? 0.0 : 100.0 * part / all);
    }

    private static int width(List<String> names) {
        return names.stream().mapToInt(name -> Printable.of(name).length()).max().orElse(1);
    }
}
