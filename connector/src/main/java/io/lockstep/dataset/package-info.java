/** The data that a stream reads: the length of its epochs and the dataset version of each. */
package io.lockstep.dataset;
