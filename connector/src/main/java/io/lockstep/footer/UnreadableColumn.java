package io.lockstep.footer;

/**
 * A column that Lockstep does not read.
 *
 * @param name the column
 * @param reason completes the sentence "the column ..."
 * @param file where it was seen
 */
public record UnreadableColumn(String name, String reason, String file) {}
