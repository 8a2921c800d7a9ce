package io.lockstep.source.feedback;

/**
 * The address that servers of this task manager listen on, by its {@code taskmanager.bind-host}.
 * Only a source reader can see that option.
 */
public record BindHost(String address) implements ToSink {}
