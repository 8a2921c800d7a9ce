/**
 * The rows of a dataset that a stream leaves out, as a function of the rows alone. The order counts
 * the kept rows of each row group; {@link io.lockstep.filter.KeptRowsCounter} counts them when a
 * run is planned, {@link io.lockstep.filter.KeptRowsStore} seals the counts beside the manifest.
 */
package io.lockstep.filter;
