package io.lockstep.source.event;

import io.lockstep.source.feedback.TrainerReply;
import org.apache.flink.api.connector.source.SourceEvent;

/** Enumerator to reader: the answer to the {@link TrainerAsked} of the same id. */
public record TrainerAnswered(long id, TrainerReply reply) implements SourceEvent {}
