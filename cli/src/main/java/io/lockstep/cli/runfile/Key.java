package io.lockstep.cli.runfile;

/**
 * A key of the run file.
 *
 * @param name as written in the file
 * @param type the type of its value
 * @param absent the default, as text for the reference
 * @param meaning the description for the reference
 */
record Key<T>(String name, ValueType<T> type, String absent, String meaning) {}
