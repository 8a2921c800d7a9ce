package io.lockstep.source.event;

import io.lockstep.source.split.LaneSplit;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Reader to enumerator: the reader no longer serves these lanes or makes steps of them, and its
 * state does not contain them.
 */
public record LanesReleased(long move, List<LaneSplit> lanes) implements SourceEvent {}
