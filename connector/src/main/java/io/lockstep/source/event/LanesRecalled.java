package io.lockstep.source.event;

import io.lockstep.source.split.LaneSplit;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Enumerator to reader: release these lanes and confirm with {@link LanesReleased}.
 *
 * @param move pairs the answer with the request
 */
public record LanesRecalled(long move, List<LaneSplit> lanes) implements SourceEvent {}
