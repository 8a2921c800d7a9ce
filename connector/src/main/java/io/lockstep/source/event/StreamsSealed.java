package io.lockstep.source.event;

import io.lockstep.source.feedback.StreamInfo;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;

/** Enumerator to reader, before any lane: the sealed streams of the run. */
public record StreamsSealed(List<StreamInfo> streams) implements SourceEvent {}
