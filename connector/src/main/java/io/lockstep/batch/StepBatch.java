package io.lockstep.batch;

import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of one step of one lane, or of several consecutive lanes: the selected columns, then
 * {@link Wire#SAMPLE} and {@link Wire#WEIGHT}, as Arrow vectors in one piece of direct memory.
 *
 * <p>The last owner closes the batch, on any thread. Its content is immutable, so any thread can
 * read it until then. Callers must not read and close it concurrently.
 */
public final class StepBatch implements AutoCloseable {

    private final BodyLayout layout;
    private final ArrowBuf body;
    private VectorSchemaRoot root;
    private boolean closed;

    /** Takes over the reference to the body. */
    StepBatch(BodyLayout layout, ArrowBuf body) {
        this.layout = layout;
        this.body = body;
    }

    /** Returns the wire schema. */
    public Schema schema() {
        return layout.shape().schema();
    }

    public int rows() {
        return layout.rows();
    }

    /** Returns the size of the batch's direct memory, in bytes. */
    public long bytes() {
        return body.capacity();
    }

    /**
     * Returns the batch as vectors. Nothing is copied, but validity bitmaps of columns without
     * nulls, which Arrow Java's vectors require, are allocated from the batch's allocator. Created
     * on the first call, valid until {@link #close()}; callers must not close it.
     */
    public synchronized VectorSchemaRoot root() {
        checkOpen();
        if (root == null) {
            VectorSchemaRoot made =
                    VectorSchemaRoot.create(schema(), body.getReferenceManager().getAllocator());
            try (ArrowRecordBatch batch = layout.recordBatch(body)) {
                new VectorLoader(made).load(batch);
            } catch (Throwable t) {
                made.close();
                throw t;
            }
            root = made;
        }
        return root;
    }

    /**
     * Reads rows in their canonical form, which depends only on the rows, not on the memory that
     * they came from or on the rows beside them: the body of an Arrow record batch with all nulls
     * removed, as defined in {@code docs/digests.md}.
     *
     * @param from the first row
     * @param count the number of rows
     * @return for each array, parents before their elements, the number of values, then the number
     *     of nulls
     */
    public long[] readCanonical(int from, int count, MemoryReader reader) {
        Objects.checkFromIndexSize(from, count, rows());
        return CanonicalBody.read(
                layout, address(), from, count, body.getReferenceManager().getAllocator(), reader);
    }

    /** Returns the batch as an Arrow IPC message; valid until {@link #close()}. */
    public synchronized BatchMessage message() {
        checkOpen();
        return new BatchMessage(this);
    }

    /** Releases the memory. Idempotent. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            if (root != null) {
                root.close();
            }
            body.close();
        }
    }

    BodyLayout layout() {
        return layout;
    }

    /** Returns the address of the body. */
    synchronized long address() {
        checkOpen();
        return body.memoryAddress();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The batch is closed.");
        }
    }
}
