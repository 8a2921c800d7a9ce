/** What a stream reads: how long its epochs are, and which version of the dataset each has. */
package io.lockstep.dataset;
