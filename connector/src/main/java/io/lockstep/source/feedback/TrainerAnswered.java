package io.lockstep.source.feedback;

import org.apache.flink.api.connector.source.SourceEvent;

/** Enumerator to reader to sink: the answer to the {@link TrainerAsked} of the same id. */
public record TrainerAnswered(long id, TrainerReply reply) implements SourceEvent, ToSink {}
