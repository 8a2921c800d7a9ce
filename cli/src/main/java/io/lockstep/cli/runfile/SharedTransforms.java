package io.lockstep.cli.runfile;

import io.lockstep.source.StreamSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads which streams have the transforms of another one. */
final class SharedTransforms {

    private final Map<String, SectionReader> streams;

    SharedTransforms(Map<String, SectionReader> streams) {
        this.streams = streams;
    }

    /**
     * Returns the stream whose transforms a stream has: itself, or the one that it is like.
     *
     * @throws RunFileException if there is no such stream, or the stream has transforms of its own
     */
    SectionReader source(String name) {
        SectionReader stream = streams.get(name);
        SectionReader source = OtherStream.of(streams, name, Schema.LIKE);
        if (source == stream) {
            return stream;
        }
        String like = stream.get(Schema.LIKE, null);
        if (source.has(Schema.LIKE)) {
            throw stream.fault(
                    Schema.LIKE, "the stream '" + like + "' is like another one; name that one");
        }
        if (stream.has(Schema.TRANSFORMS)) {
            throw stream.fault(
                    Schema.TRANSFORMS,
                    "a stream with the key 'like' has the transforms of '"
                            + like
                            + "'; leave them out");
        }
        return source;
    }

    /** Returns the streams with the transforms that they have from others. */
    List<StreamSpec> applyTo(List<StreamSpec> specs) {
        Map<String, StreamSpec> byName = new HashMap<>();
        specs.forEach(spec -> byName.put(spec.name(), spec));
        return specs.stream()
                .map(
                        spec -> {
                            String like = streams.get(spec.name()).get(Schema.LIKE, null);
                            return like == null ? spec : spec.like(byName.get(like));
                        })
                .toList();
    }
}
