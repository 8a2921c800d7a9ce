/**
 * Python functions as transforms, and the worker processes that run them.
 *
 * <p>A {@link io.lockstep.transform.python.PythonTransform} sends the columns that its function
 * reads as Arrow over a Unix socket to a worker and receives those that it declares. Workers run
 * {@code python -m lockstep.worker}; each belongs to a {@link
 * io.lockstep.transform.python.WorkerPool}, which the calls of one process share.
 */
package io.lockstep.transform.python;
