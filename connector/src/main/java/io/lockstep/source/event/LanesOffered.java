package io.lockstep.source.event;

import io.lockstep.source.split.LaneSplit;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Enumerator to reader: can you take these lanes beside those that you have?
 *
 * @param move pairs the answer with the question
 */
public record LanesOffered(long move, List<LaneSplit> lanes) implements SourceEvent {}
