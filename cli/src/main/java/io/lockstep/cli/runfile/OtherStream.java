package io.lockstep.cli.runfile;

import java.util.List;
import java.util.Map;

/** Finds the stream that another one names. */
final class OtherStream {

    private OtherStream() {}

    /**
     * Returns the stream that a key of a stream names; the stream itself if it has no such key.
     *
     * @throws RunFileException if there is no such other stream
     */
    static SectionReader of(Map<String, SectionReader> streams, String name, Key<String> key) {
        SectionReader stream = streams.get(name);
        String other = stream.get(key, null);
        if (other == null) {
            return stream;
        }
        SectionReader found = streams.get(other);
        if (found == null || other.equals(name)) {
            List<String> others = streams.keySet().stream().filter(s -> !s.equals(name)).toList();
            throw stream.fault(
                    key, "there is no other stream '" + other + "'" + Hint.of(other, others));
        }
        return found;
    }
}
