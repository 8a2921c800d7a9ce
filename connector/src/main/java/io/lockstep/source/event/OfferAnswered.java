package io.lockstep.source.event;

import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * Reader to enumerator: the answer to {@link LanesOffered}.
 *
 * @param refusal why the reader cannot take them; null if it can
 */
public record OfferAnswered(long move, @Nullable String refusal) implements SourceEvent {}
