/** Finds the transform that a name of the run file stands for. */
package io.lockstep.transform.registry;
