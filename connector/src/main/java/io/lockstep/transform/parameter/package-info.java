/** The kinds of transforms that users can name, and how their parameters are read. */
package io.lockstep.transform.parameter;
