/**
 * The proof of what a run served: the records of served and consumed steps, and their readers. It
 * only listens: no batch and no checkpoint waits for it. Lost records are reported as gaps.
 */
package io.lockstep.audit;
