package io.lockstep.batch;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Reads rows of a batch as the body of a record batch of only these rows, in which a null leaves no
 * trace except for its bit in the validity bitmap: a null, and the elements of a null list, take no
 * bytes.
 *
 * <p>A whole batch without nulls already has this form and is read in place. Otherwise the body is
 * written first, because the rows' bitmaps can begin at any bit and their offsets must begin at 0.
 */
final class CanonicalBody {

    private final BodyLayout layout;
    private final long body;
    private final long[] counts;

    /** The address of the next buffer. */
    private long end;

    private CanonicalBody(BodyLayout layout, long body, long to) {
        this.layout = layout;
        this.body = body;
        this.counts = new long[2 * layout.shape().nodes().size()];
        this.end = to;
    }

    /**
     * @param body the address of a body created by {@link Gather}, with zeros between the buffers
     * @param from the first row
     * @param rows the number of rows
     * @param allocator allocates the body of these rows for the duration of the call
     * @return the number of values and nulls of each node
     */
    static long[] read(
            BodyLayout layout,
            long body,
            int from,
            int rows,
            BufferAllocator allocator,
            MemoryReader reader) {
        if (layout.isDense() && rows == layout.rows()) {
            reader.read(body, layout.bytes(), true);
            return layout.counts();
        }
        long most = 0;
        for (Node column : layout.shape().columns()) {
            most += maxBytes(layout, body, column, from, rows);
        }
        try (ArrowBuf memory = allocator.buffer(most)) {
            CanonicalBody canonical = new CanonicalBody(layout, body, memory.memoryAddress());
            for (Node column : layout.shape().columns()) {
                canonical.write(column, Selection.range(from, rows));
            }
            reader.read(memory.memoryAddress(), canonical.end - memory.memoryAddress(), true);
            return canonical.counts;
        }
    }

    /** Returns the size of a node's values if none of them is null. */
    private static long maxBytes(BodyLayout layout, long body, Node node, long from, long values) {
        long bytes = layout.nulls(node) > 0 ? Allocators.roundUp(Bits.bytes(values)) : 0;
        long first = from;
        long elements = values;
        if (node.hasOffsets()) {
            long offsets = body + layout.offset(node.offsetsBuffer());
            first = MemoryUtil.getInt(offsets + from * Integer.BYTES);
            elements = MemoryUtil.getInt(offsets + (from + values) * Integer.BYTES) - first;
            bytes += Allocators.roundUp((values + 1) * Integer.BYTES);
        }
        return bytes
                + switch (node.kind()) {
                    case BITS -> Allocators.roundUp(Bits.bytes(values));
                    case FIXED -> Allocators.roundUp(values * node.width());
                    case VARIABLE -> Allocators.roundUp(elements);
                    case LIST -> maxBytes(layout, body, elementsOf(layout, node), first, elements);
                    case FIXED_LIST ->
                            maxBytes(
                                    layout,
                                    body,
                                    elementsOf(layout, node),
                                    from * node.listSize(),
                                    values * node.listSize());
                };
    }

    private static Node elementsOf(BodyLayout layout, Node list) {
        return layout.shape().nodes().get(list.index() + 1);
    }

    /** Writes the selected values of a node. */
    private void write(Node node, Selection values) {
        Selection present = values;
        if (layout.nulls(node) > 0) {
            long[] validity = {body + layout.offset(node.validityBuffer())};
            present = values.present(validity[0]);
            if (present.values == values.values) {
                present = values;
            } else {
                BitGather.copy(validity, values, end);
                pad(Bits.bytes(values.values));
            }
        }
        counts[2 * node.index()] = values.values;
        counts[2 * node.index() + 1] = values.values - present.values;
        writeValues(node, present);
    }

    private void writeValues(Node node, Selection present) {
        if (node.hasOffsets()) {
            long[] offsets = {body + layout.offset(node.offsetsBuffer())};
            ByteGather.copyOffsets(offsets, present, end);
            pad((present.values + 1) * Integer.BYTES);
            // Of a batch, whose offsets this process has written.
            Selection parts = present.elements(offsets, new long[] {Integer.MAX_VALUE});
            if (node.hasElements()) {
                write(elementsOf(layout, node), parts);
            } else {
                writeBytes(node, parts, 1);
            }
            return;
        }
        switch (node.kind()) {
            case FIXED_LIST ->
                    write(elementsOf(layout, node), present.fixedElements(node.listSize()));
            case BITS -> {
                long[] bits = {body + layout.offset(node.dataBuffer())};
                BitGather.copy(bits, present, end);
                pad(Bits.bytes(present.values));
            }
            default -> writeBytes(node, present, node.width());
        }
    }

    private void writeBytes(Node node, Selection values, int width) {
        long[] from = {body + layout.offset(node.dataBuffer())};
        ByteGather.copy(from, values, width, end);
        pad(values.values * width);
    }

    /** Pads a buffer; an empty one takes no bytes. */
    private void pad(long bytes) {
        long padded = Allocators.roundUp(bytes);
        MemoryUtil.setMemory(end + bytes, padded - bytes, (byte) 0);
        end += padded;
    }
}
