package io.lockstep.cli.runfile;

/**
 * A key of the run file.
 *
 * @param name as it is written
 * @param type what its value may be
 * @param absent what holds where it is not written, in words for the reference
 * @param meaning what it does, in words for the reference
 */
record Key<T>(String name, ValueType<T> type, String absent, String meaning) {}
