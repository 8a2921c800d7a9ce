/** Transforms with statistics of their columns. */
package io.lockstep.transform.fitted;
