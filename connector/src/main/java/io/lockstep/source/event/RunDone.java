package io.lockstep.source.event;

import org.apache.flink.api.connector.source.SourceEvent;

/** Enumerator to reader: every rank has closed; end all lanes. */
public record RunDone() implements SourceEvent {}
