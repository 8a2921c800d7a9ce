/** Transforms that users write in Java. */
package io.lockstep.transform.custom;
