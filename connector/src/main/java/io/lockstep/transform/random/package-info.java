/**
 * The random transforms that Lockstep brings. They run for each step and draw from the random
 * streams of its samples, so that a step has the same rows whenever and wherever it is made.
 */
package io.lockstep.transform.random;
