package io.lockstep.batch;

import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of one step of one lane, or of several lanes one after the other: the chosen columns,
 * then {@link Wire#SAMPLE} and {@link Wire#WEIGHT}, as Arrow vectors in one piece of direct memory.
 *
 * <p>Whoever holds it last closes it, on any thread. What is in it does not change, so that any
 * thread may read it until then; reading and closing at the same time is for the callers to avoid.
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
     * Reads rows in their canonical form, the same for the same rows whatever memory they came from
     * and whatever rows lie beside them: the body of an Arrow record batch with all nulls taken
     * out, which the project's page on digests describes.
     *
     * @param from the first row
     * @param count how many rows
     * @return for each array, parents before their elements, its values, then how many of them are
     *     null
     */
    public long[] readCanonical(int from, int count, MemoryReader reader) {
        Objects.checkFromIndexSize(from, count, rows());
        return CanonicalBody.read(
                layout, address(), from, count, body.getReferenceManager().getAllocator(), reader);
    }

    /** The batch as a message of Arrow's IPC format; valid until {@link #close()}. */
    public synchronized BatchMessage message() {
        checkOpen();
        return new BatchMessage(this);
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
            throw new IllegalStateException("The batch is closed.");
        }
    }
}
