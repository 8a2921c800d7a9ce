package io.lockstep.transform.python;

import io.lockstep.python.PythonSettings;
import io.lockstep.transform.TransformException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of this process with the same settings. They are started when they are needed first.
 * Thread-safe.
 */
final class WorkerPool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

    /** How often the work of a lost worker is done. */
    static final int ATTEMPTS = 3;

    private final PythonSettings settings;
    private final Semaphore places;
    private final Deque<Worker> idle = new ArrayDeque<>();
    private final Set<Worker> all = new HashSet<>();
    private WorkerFolder folder;
    private int started;
    private boolean closed;

    WorkerPool(PythonSettings settings) {
        this.settings = settings;
        this.places = new Semaphore(settings.resolveWorkers());
    }

    /**
     * Calls a function in a worker; waits until one is free. If the worker dies or hangs, another
     * one does the work again.
     *
     * @param call the frame
     * @param rows which the caller closes
     * @return whose rows the caller closes
     * @throws WorkerLostException if all attempts have failed
     * @throws TransformException if no worker can be started, or the job has ended
     */
    Answer call(byte[] call, VectorSchemaRoot rows, BufferAllocator allocator)
            throws WorkerLostException {
        for (int attempt = 1; ; attempt++) {
            try {
                return callOnce(call, rows, allocator);
            } catch (WorkerLostException e) {
                if (isClosed()) {
                    throw new TransformException("its workers were stopped with the job", e);
                }
                if (attempt == ATTEMPTS || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                LOG.warn("A Python worker {}. Another one does its work again.", e.getMessage());
            }
        }
    }

    private Answer callOnce(byte[] call, VectorSchemaRoot rows, BufferAllocator allocator)
            throws WorkerLostException {
        try {
            places.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WorkerLostException("was not free before the task ended", e);
        }
        try {
            Worker worker = take();
            boolean usable = false;
            try {
                Answer answer = worker.call(call, rows, allocator, settings.timeout());
                usable = true;
                return answer;
            } finally {
                giveBack(worker, usable);
            }
        } finally {
            places.release();
        }
    }

    private Worker take() throws WorkerLostException {
        int number;
        synchronized (this) {
            if (closed) {
                throw new WorkerLostException("was stopped", null);
            }
            Worker worker = idle.pollLast();
            if (worker != null) {
                return worker;
            }
            number = ++started;
        }
        try {
            Worker worker = Worker.start(number, settings, folder());
            synchronized (this) {
                all.add(worker);
                if (closed) {
                    worker.close();
                }
            }
            return worker;
        } catch (WorkerLostException e) {
            throw e;
        } catch (IOException e) {
            throw new UncheckedIOException("a Python worker cannot be started", e);
        }
    }

    private synchronized WorkerFolder folder() throws IOException {
        if (folder == null) {
            folder = WorkerFolder.create(settings.code());
        }
        return folder;
    }

    private void giveBack(Worker worker, boolean usable) {
        synchronized (this) {
            if (usable && !closed) {
                idle.addLast(worker);
                return;
            }
            all.remove(worker);
        }
        worker.close();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Kills all workers. Calls in progress fail. */
    @Override
    public synchronized void close() {
        closed = true;
        all.forEach(Worker::close);
        all.clear();
        idle.clear();
        if (folder != null) {
            try {
                folder.close();
            } catch (IOException e) {
                LOG.warn("The folder {} cannot be removed: {}", folder.code(), e.getMessage());
            }
        }
    }
}
