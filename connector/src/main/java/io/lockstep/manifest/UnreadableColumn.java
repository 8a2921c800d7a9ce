package io.lockstep.manifest;

/**
 * A column that Lockstep does not read.
 *
 * @param name the column
 * @param reason completes the sentence "the column ..."
 * @param file the first file where it was seen
 */
public record UnreadableColumn(String name, String reason, String file) {}
