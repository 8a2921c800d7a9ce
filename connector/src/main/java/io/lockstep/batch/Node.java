package io.lockstep.batch;

/**
 * One vector of a batch: a column, or the elements of a list.
 *
 * @param index the index among the nodes of the batch, parents before children
 * @param kind the memory layout
 * @param path the column's name, with {@code []} appended for the elements of a list
 * @param width the size of a value in bytes, for {@link Kind#FIXED} only
 * @param listSize the number of values per list, for {@link Kind#FIXED_LIST} only
 * @param firstBuffer the index of its first buffer, the validity bitmap
 */
record Node(int index, Kind kind, String path, int width, int listSize, int firstBuffer) {

    /** The layout of a vector's values, after the validity bitmap. */
    enum Kind {
        /** One buffer with one bit per value. */
        BITS(2),
        /** One buffer with a fixed number of bytes per value. */
        FIXED(2),
        /** 32-bit offsets, then the bytes. */
        VARIABLE(3),
        /** 32-bit offsets; the elements are the next node. */
        LIST(2),
        /** No buffer; the elements are the next node. */
        FIXED_LIST(1);

        final int buffers;

        Kind(int buffers) {
            this.buffers = buffers;
        }
    }

    int validityBuffer() {
        return firstBuffer;
    }

    int offsetsBuffer() {
        return firstBuffer + 1;
    }

    /**
     * Returns the last buffer: the values of {@code BITS} and {@code FIXED}, the bytes of others.
     */
    int dataBuffer() {
        return firstBuffer + kind.buffers - 1;
    }

    boolean hasOffsets() {
        return kind == Kind.VARIABLE || kind == Kind.LIST;
    }

    boolean hasElements() {
        return kind == Kind.LIST || kind == Kind.FIXED_LIST;
    }
}
