/**
 * Statistics of columns, and their values. A value depends on the rows and their cut into row
 * groups alone, not on the number of threads.
 */
package io.lockstep.transform.statistic;
