package io.lockstep.materialize;

import io.lockstep.cache.Damage;
import io.lockstep.cache.PinnedRowGroup;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Row groups that are read into memory at each pin, on the caller's thread, and released when
 * unpinned. For commands that need few row groups once and no disk.
 */
public final class DirectRowGroups implements RowGroupSource {

    private final Content content;
    private final BufferAllocator allocator;

    /**
     * @param allocator which the caller closes after the last pin
     */
    public DirectRowGroups(Content content, BufferAllocator allocator) {
        this.content = content;
        this.allocator = allocator;
    }

    @Override
    public CompletableFuture<PinnedRowGroup> pin(int rowGroup) {
        try {
            return CompletableFuture.completedFuture(new Pin(content.source(rowGroup, allocator)));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public boolean hasRoomFor(long bytes) {
        return bytes <= allocator.getLimit() - allocator.getAllocatedMemory();
    }

    @Override
    public boolean hasSpareRoomFor(long bytes) {
        return hasRoomFor(bytes);
    }

    private static final class Pin implements PinnedRowGroup {

        private final VectorSchemaRoot root;
        private boolean closed;

        Pin(VectorSchemaRoot root) {
            this.root = root;
        }

        @Override
        public synchronized VectorSchemaRoot root() {
            if (closed) {
                throw new IllegalStateException("the row group is closed");
            }
            return root;
        }

        @Override
        public long bytes() {
            return root().getFieldVectors().stream().mapToLong(v -> v.getBufferSize()).sum();
        }

        /** Memory has no file that could change. */
        @Override
        public void check(Check check) {}

        @Override
        public void onDamage(Consumer<Damage> listener) {}

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                root.close();
            }
        }
    }
}
