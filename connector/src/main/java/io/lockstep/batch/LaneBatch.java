package io.lockstep.batch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of one lane and step: the chosen columns, then {@link Wire#SAMPLE} and {@link
 * Wire#WEIGHT}, as Arrow vectors in one piece of direct memory.
 *
 * <p>Whoever holds it last closes it, on any thread. What is in it does not change, so that any
 * thread may read it until then; reading and closing at the same time is for the callers to avoid.
 */
public final class LaneBatch implements AutoCloseable {

    private final BodyLayout layout;
    private final ArrowBuf body;
    private VectorSchemaRoot root;
    private boolean closed;

    /** Takes over the reference to the body. */
    LaneBatch(BodyLayout layout, ArrowBuf body) {
        this.layout = layout;
        this.body = body;
    }

    /** The wire schema. */
    public Schema schema() {
        return layout.shape().schema();
    }

    public int rows() {
        return layout.rows();
    }

    /** The direct memory that the batch takes. */
    public long bytes() {
        return body.capacity();
    }

    /**
     * The batch as vectors, without a copy but for the validity bitmaps of columns without nulls,
     * which Arrow Java's vectors cannot do without and the batch's allocator gives. Made at the
     * first call; valid until {@link #close()}, and not to be closed by itself.
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
     * Reads the batch in its canonical form, the same for the same rows whatever memory they came
     * from: the body of an Arrow record batch with all nulls taken out, which the project's page on
     * digests describes. A column without nulls is read where it lies.
     *
     * @return for each array, parents before their elements, its values, then how many of them are
     *     null
     */
    public long[] readCanonical(MemoryReader reader) {
        return CanonicalBody.read(
                layout, address(), body.getReferenceManager().getAllocator(), reader);
    }

    /** Releases the memory. A second call does nothing. */
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

    /** Where the body begins. */
    synchronized long address() {
        checkOpen();
        return body.memoryAddress();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("The lane's batch is closed.");
        }
    }
}
