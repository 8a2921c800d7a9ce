package io.lockstep.batch;

/**
 * One vector of a batch: a column, or the elements of a list.
 *
 * @param index its place among the nodes of the batch, parents before children
 * @param kind how it is laid out
 * @param path the column's name, with {@code []} for the elements of a list
 * @param width bytes of one value, for {@link Kind#FIXED} only
 * @param listSize values of one list, for {@link Kind#FIXED_LIST} only
 * @param firstBuffer index of its first buffer, which is the validity bitmap
 */
record Node(int index, Kind kind, String path, int width, int listSize, int firstBuffer) {

    /** How the values of a vector are laid out, after the validity bitmap. */
    enum Kind {
        /** One buffer, a bit a value. */
        BITS(2),
        /** One buffer, a fixed number of bytes a value. */
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

    /** The last buffer: the values of {@code BITS} and {@code FIXED}, the bytes of others. */
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
