/**
 * The proof of what a run served: records of what was served and consumed, and what reads them
 * later. It listens. Nothing on the way of a batch or of a checkpoint waits for it; what could not
 * be recorded is said.
 */
package io.lockstep.audit;
