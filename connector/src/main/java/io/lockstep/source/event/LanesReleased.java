package io.lockstep.source.event;

import io.lockstep.source.split.LaneSplit;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Reader to enumerator: it serves these lanes no longer, makes no steps of them, and they are not
 * in its state.
 */
public record LanesReleased(long move, List<LaneSplit> lanes) implements SourceEvent {}
