/**
 * Digests of what trainers get: 128-bit XXH3 over a lane's rows of a step, and over the lanes of a
 * step. {@code docs/digests.md} defines them for any language.
 */
package io.lockstep.digest;
