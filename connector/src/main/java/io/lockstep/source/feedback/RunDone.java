package io.lockstep.source.feedback;

import org.apache.flink.api.connector.source.SourceEvent;

/** Enumerator to reader to sink: every rank has closed; all lanes end. */
public record RunDone() implements SourceEvent, ToSink {}
