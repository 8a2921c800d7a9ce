package io.lockstep.transform.python;

import io.lockstep.python.PythonSettings;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The workers of this process, which all of its jobs share. They live as long as a job or a command
 * holds them; a call without a hold has workers of its own.
 */
public final class WorkerPools {

    private static final Map<PythonSettings, WorkerPool> POOLS = new HashMap<>();

    private static int holds;
    private static int calls;

    private WorkerPools() {}

    /** Keeps workers alive; the last one kills them all. */
    public static final class Hold implements AutoCloseable {

        private boolean closed;

        @Override
        public void close() {
            synchronized (POOLS) {
                if (!closed) {
                    closed = true;
                    holds--;
                    closeUnlessHeld();
                }
            }
        }
    }

    /** Takes a hold. */
    public static Hold hold() {
        synchronized (POOLS) {
            holds++;
            return new Hold();
        }
    }

    /** See {@link WorkerPool#call}. */
    static Answer call(
            PythonSettings settings, byte[] call, VectorSchemaRoot rows, BufferAllocator allocator)
            throws WorkerLostException {
        WorkerPool pool;
        synchronized (POOLS) {
            calls++;
            pool = POOLS.computeIfAbsent(settings, WorkerPool::new);
        }
        try {
            return pool.call(call, rows, allocator);
        } finally {
            synchronized (POOLS) {
                calls--;
                if (calls == 0) {
                    closeUnlessHeld();
                }
            }
        }
    }

    private static void closeUnlessHeld() {
        if (holds == 0) {
            POOLS.values().forEach(WorkerPool::close);
            POOLS.clear();
        }
    }
}
