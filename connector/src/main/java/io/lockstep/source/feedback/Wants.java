package io.lockstep.source.feedback;

import java.util.List;

/** Wanted steps of lanes, in place of those that were wanted of these lanes before. */
public record Wants(List<Want> wants) implements ToReader {}
