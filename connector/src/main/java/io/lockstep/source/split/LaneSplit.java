package io.lockstep.source.split;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A split: one lane of one stream.
 *
 * <p>It holds no position. The trainers own the position and request absolute steps, so a lane can
 * be assigned to any reader at any time and still yields the same steps.
 */
public record LaneSplit(String stream, int lane)
        implements SourceSplit, Serializable, Comparable<LaneSplit> {

    @Override
    public String splitId() {
        return stream + "/" + lane;
    }

    @Override
    public int compareTo(LaneSplit other) {
        int byStream = stream.compareTo(other.stream);
        return byStream != 0 ? byStream : Integer.compare(lane, other.lane);
    }

    /** Formats lanes for messages: {@code lanes 0, 1 of the stream 'train'}. */
    public static String describe(Collection<LaneSplit> lanes) {
        Map<String, List<String>> byStream =
                lanes.stream()
                        .sorted()
                        .collect(
                                Collectors.groupingBy(
                                        LaneSplit::stream,
                                        TreeMap::new,
                                        Collectors.mapping(
                                                split -> Integer.toString(split.lane),
                                                Collectors.toList())));
        return byStream.entrySet().stream()
                .map(
                        stream ->
                                (stream.getValue().size() == 1 ? "lane " : "lanes ")
                                        + String.join(", ", stream.getValue())
                                        + " of the stream '"
                                        + stream.getKey()
                                        + "'")
                .collect(Collectors.joining(" and "));
    }
}
