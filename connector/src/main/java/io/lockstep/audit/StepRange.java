package io.lockstep.audit;

/** The steps that a file of the archive has records of, both ends included. */
record StepRange(long first, long last) {}
