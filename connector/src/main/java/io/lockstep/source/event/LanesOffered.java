package io.lockstep.source.event;

import io.lockstep.source.split.LaneSplit;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Enumerator to reader: asks whether the reader can take these lanes in addition to its own.
 *
 * @param move pairs the answer with the question
 */
public record LanesOffered(long move, List<LaneSplit> lanes) implements SourceEvent {}
