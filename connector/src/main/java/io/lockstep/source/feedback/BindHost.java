package io.lockstep.source.feedback;

/**
 * The address that servers of this task manager bind to, from its option {@code
 * taskmanager.bind-host}. Only a source reader can read that option.
 */
public record BindHost(String address) implements ToSink {}
