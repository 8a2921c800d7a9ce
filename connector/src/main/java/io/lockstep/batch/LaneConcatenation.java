package io.lockstep.batch;

import java.util.List;
import org.apache.arrow.memory.util.MemoryUtil;

/** Writes the body of a batch that is made of several lanes' batches. */
final class LaneConcatenation {

    /** Where a lane's body lies, worked out once: every column asks for it. */
    private record Part(BodyLayout layout, long address) {}

    private final Part[] lanes;
    private final BodyLayout layout;
    private final long body;

    private LaneConcatenation(List<LaneBatch> lanes, BodyLayout layout, long body) {
        this.lanes =
                lanes.stream()
                        .map(lane -> new Part(lane.layout(), lane.address()))
                        .toArray(Part[]::new);
        this.layout = layout;
        this.body = body;
    }

    /** Writes every byte of the body, with zeros between the buffers. */
    static void write(List<LaneBatch> lanes, BodyLayout layout, long body) {
        LaneConcatenation concatenation = new LaneConcatenation(lanes, layout, body);
        for (Node node : layout.shape().nodes()) {
            concatenation.write(node);
        }
        layout.clearGaps(body);
    }

    private void write(Node node) {
        if (layout.nulls(node) > 0) {
            copyBits(node, node.validityBuffer());
        }
        if (node.hasOffsets()) {
            copyOffsets(node);
        }
        switch (node.kind()) {
            case BITS -> copyBits(node, node.dataBuffer());
            case FIXED, VARIABLE -> copyBytes(node.dataBuffer());
            default -> {}
        }
    }

    private void copyBytes(int buffer) {
        long to = body + layout.offset(buffer);
        for (Part lane : lanes) {
            long bytes = lane.layout.length(buffer);
            MemoryUtil.copyMemory(lane.address + lane.layout.offset(buffer), to, bytes);
            to += bytes;
        }
    }

    /** A lane that has left out its bitmap has all bits set. */
    private void copyBits(Node node, int buffer) {
        long to = body + layout.offset(buffer);
        MemoryUtil.setMemory(to, layout.length(buffer), (byte) 0);
        long done = 0;
        for (Part lane : lanes) {
            int count = lane.layout.values(node);
            if (lane.layout.length(buffer) == 0) {
                Bits.set(to, done, count);
            } else {
                Bits.copy(lane.address + lane.layout.offset(buffer), 0, to, done, count);
            }
            done += count;
        }
    }

    /** A lane's offsets begin at 0. */
    private void copyOffsets(Node node) {
        int buffer = node.offsetsBuffer();
        long to = body + layout.offset(buffer);
        int base = 0;
        MemoryUtil.putInt(to, base);
        for (Part lane : lanes) {
            long from = lane.address + lane.layout.offset(buffer);
            long bytes = (long) lane.layout.values(node) * Integer.BYTES;
            for (long at = Integer.BYTES; at <= bytes; at += Integer.BYTES) {
                MemoryUtil.putInt(to + at, base + MemoryUtil.getInt(from + at));
            }
            to += bytes;
            base = MemoryUtil.getInt(to);
        }
    }
}
