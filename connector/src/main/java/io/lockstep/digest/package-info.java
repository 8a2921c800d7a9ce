/**
 * Digests of the data that trainers receive: 128-bit XXH3 over a lane's rows of a step, and over
 * the lanes of a step. Defined for any language in {@code docs/digests.md}.
 */
package io.lockstep.digest;
