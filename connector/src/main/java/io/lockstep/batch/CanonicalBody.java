package io.lockstep.batch;

import java.util.function.LongConsumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Reads a lane's batch as the body of a record batch in which no null has left a trace but its bit
 * in the validity bitmap: a null, and the elements of a list that is null, take no bytes.
 *
 * <p>What {@link Gather} lays out is that already where there are no nulls: usually the body is
 * read as it is, else neighbouring buffers of columns without nulls as one piece. A column with
 * nulls is gathered anew, without these.
 */
final class CanonicalBody {

    private final BodyLayout layout;
    private final long body;
    private final BufferAllocator allocator;
    private final MemoryReader reader;
    private final long[] counts;

    /** Memory of the batch that is to be read before anything else. */
    private long begin;

    private long end;

    private CanonicalBody(
            BodyLayout layout, long body, BufferAllocator allocator, MemoryReader reader) {
        this.layout = layout;
        this.body = body;
        this.allocator = allocator;
        this.reader = reader;
        this.counts = new long[2 * layout.shape().nodes().size()];
        this.begin = body;
        this.end = body;
    }

    /**
     * @param body the address of a body as {@link Gather} makes it, with zeros between the buffers
     * @param allocator gives memory for one buffer of a column with nulls at a time
     * @return values and nulls of each node
     */
    static long[] read(
            BodyLayout layout, long body, BufferAllocator allocator, MemoryReader reader) {
        if (layout.isDense()) {
            reader.read(body, layout.bytes(), true);
            return layout.counts();
        }
        CanonicalBody canonical = new CanonicalBody(layout, body, allocator, reader);
        layout.shape().columns().forEach(canonical::readColumn);
        reader.read(canonical.begin, canonical.end - canonical.begin, true);
        return canonical.counts;
    }

    private void readColumn(Node column) {
        if (hasNulls(column)) {
            readPresent(column, Selection.first(layout.values(column)));
        } else {
            readWhereItLies(column);
        }
    }

    private boolean hasNulls(Node node) {
        return layout.nulls(node) > 0 || node.hasElements() && hasNulls(elements(node));
    }

    private Node elements(Node node) {
        return layout.shape().nodes().get(node.index() + 1);
    }

    private void readWhereItLies(Node node) {
        count(node, layout.values(node), 0);
        for (int i = node.validityBuffer(); i <= node.dataBuffer(); i++) {
            long bytes = Allocators.roundUp(layout.length(i));
            long address = body + layout.offset(i);
            if (bytes > 0 && address == end) {
                end += bytes;
            } else if (bytes > 0) {
                readPending();
                begin = address;
                end = address + bytes;
            }
        }
        if (node.hasElements()) {
            readWhereItLies(elements(node));
        }
    }

    /** Reads the selected values of a node of which some, or some elements, are null. */
    private void readPresent(Node node, Selection values) {
        Selection present = values;
        if (layout.nulls(node) > 0) {
            long[] validity = {body + layout.offset(node.validityBuffer())};
            present = values.present(validity[0]);
            if (present.values < values.values) {
                readCopy(Bits.bytes(values.values), copy -> BitGather.copy(validity, values, copy));
            }
        }
        count(node, values.values, values.values - present.values);
        readValues(node, present);
    }

    private void readValues(Node node, Selection present) {
        if (node.hasOffsets()) {
            long[] offsets = {body + layout.offset(node.offsetsBuffer())};
            readCopy(
                    (present.values + 1) * Integer.BYTES,
                    copy -> ByteGather.copyOffsets(offsets, present, copy));
            Selection parts = present.elements(offsets);
            if (node.hasElements()) {
                readPresent(elements(node), parts);
            } else {
                readBytes(node, parts, 1);
            }
            return;
        }
        switch (node.kind()) {
            case FIXED_LIST -> readPresent(elements(node), present.fixedElements(node.listSize()));
            case BITS -> {
                long[] bits = {body + layout.offset(node.dataBuffer())};
                readCopy(Bits.bytes(present.values), copy -> BitGather.copy(bits, present, copy));
            }
            default -> readBytes(node, present, node.width());
        }
    }

    private void readBytes(Node node, Selection values, int width) {
        long[] from = {body + layout.offset(node.dataBuffer())};
        readCopy(values.values * width, copy -> ByteGather.copy(from, values, width, copy));
    }

    private void readCopy(long bytes, LongConsumer write) {
        if (bytes == 0) {
            return;
        }
        readPending();
        long padded = Allocators.roundUp(bytes);
        try (ArrowBuf copy = allocator.buffer(padded)) {
            write.accept(copy.memoryAddress());
            MemoryUtil.setMemory(copy.memoryAddress() + bytes, padded - bytes, (byte) 0);
            reader.read(copy.memoryAddress(), padded, false);
        }
    }

    private void readPending() {
        if (end > begin) {
            reader.read(begin, end - begin, false);
        }
        begin = body;
        end = body;
    }

    private void count(Node node, long values, long nulls) {
        counts[2 * node.index()] = values;
        counts[2 * node.index() + 1] = nulls;
    }
}
