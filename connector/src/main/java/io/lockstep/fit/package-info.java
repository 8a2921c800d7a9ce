/**
 * Fits transforms: computes the statistics that they need over the rows of their stream, once, when
 * a run is planned. Rows are read as for training, so filters and other transforms count.
 */
package io.lockstep.fit;
