package io.lockstep.cli.runfile;

import io.lockstep.expression.Expression;
import io.lockstep.expression.ExpressionException;
import io.lockstep.filter.RowSelection;
import io.lockstep.filter.Share;
import io.lockstep.filter.Split;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;

/** Reads which rows streams have: filters, splits, and the streams that take a part of one. */
final class RowsReader {

    private static final String BY = "by";

    /** What a stream that takes a part has from the stream that is split. */
    private static final List<Key<?>> SHARED =
            List.of(Schema.DATA, Schema.PARTITIONS, Schema.FILTER, Schema.SPLIT);

    private final Map<String, SectionReader> streams;

    RowsReader(Map<String, SectionReader> streams) {
        this.streams = streams;
    }

    /**
     * Returns the stream whose dataset a stream reads: itself, or the one that it is from.
     *
     * @throws RunFileException if there is no such stream, or its split has no such part
     */
    SectionReader source(String name) {
        SectionReader stream = streams.get(name);
        SectionReader source = OtherStream.of(streams, name, Schema.FROM);
        if (source == stream) {
            return stream;
        }
        String from = stream.get(Schema.FROM, null);
        if (source.has(Schema.FROM)) {
            throw stream.fault(
                    Schema.FROM, "the stream '" + from + "' is from another one; name that one");
        }
        for (Key<?> key : SHARED) {
            refuse(stream, from, key.name());
        }
        refuse(stream, from, Schema.SCHEMA.name());
        Map<String, String> parts = source.get(Schema.SPLIT, Map.of());
        if (!parts.containsKey(name) || name.equals(BY)) {
            throw stream.fault(
                    Schema.FROM,
                    parts.isEmpty()
                            ? "the stream '"
                                    + from
                                    + "' has no split; add to it split: {"
                                    + name
                                    + ": 10%}"
                            : "the split of the stream '"
                                    + from
                                    + "' has no part '"
                                    + name
                                    + "'; it has "
                                    + parts.keySet().stream().filter(p -> !p.equals(BY)).toList());
        }
        return source;
    }

    private static void refuse(SectionReader stream, String from, String key) {
        if (stream.has(key)) {
            throw stream.fault(
                    key,
                    "a stream with the key '"
                            + Schema.FROM.name()
                            + "' takes this from '"
                            + from
                            + "'; leave it out");
        }
    }

    /** The rows of a stream. */
    RowSelection rows(String name) {
        SectionReader source = source(name);
        Split split = split(source, streams.get(name).get(Schema.FROM, name));
        boolean part = source != streams.get(name);
        return new RowSelection(filter(source), part ? split.part(name) : split);
    }

    @Nullable
    private static Expression filter(SectionReader stream) {
        String filter = stream.get(Schema.FILTER, null);
        try {
            return filter == null ? null : Expression.parse(filter);
        } catch (ExpressionException e) {
            throw stream.fault(Schema.FILTER, e.getMessage());
        }
    }

    @Nullable
    private static Split split(SectionReader stream, String name) {
        Map<String, String> written = stream.get(Schema.SPLIT, null);
        if (written == null) {
            return null;
        }
        Map<String, Share> shares = new LinkedHashMap<>();
        written.forEach(
                (part, share) -> {
                    if (!part.equals(BY)) {
                        shares.put(part, share(stream, part, share));
                    }
                });
        if (shares.isEmpty()) {
            throw stream.fault(Schema.SPLIT, "it names no part; write for example {eval: 10%}");
        }
        long seed = stream.section(Schema.ORDER).get(Schema.SEED, 0L);
        try {
            return new Split(name, seed, shares, written.get(BY), null);
        } catch (IllegalArgumentException e) {
            throw stream.fault(Schema.SPLIT, "the shares add up to more than 100%");
        }
    }

    private static Share share(SectionReader stream, String part, String share) {
        try {
            return Share.parse(share);
        } catch (IllegalArgumentException e) {
            throw stream.fault(
                    Schema.SPLIT,
                    "'"
                            + part
                            + "' is '"
                            + share
                            + "'; it must be a share above 0 and up to 100%, such as 10%, 0.1 or"
                            + " 1/10");
        }
    }

    /** The value of the key {@code split}. */
    static Map<String, String> written(Split split) {
        Map<String, String> written = new LinkedHashMap<>();
        split.shares().forEach((part, share) -> written.put(part, share.toString()));
        if (split.by() != null) {
            written.put(BY, split.by());
        }
        return written;
    }
}
