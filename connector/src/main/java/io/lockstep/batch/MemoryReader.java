package io.lockstep.batch;

/** Reads bytes that come in one or more pieces, one after the other. */
@FunctionalInterface
public interface MemoryReader {

    /**
     * @param address of the next bytes, valid until this returns
     * @param bytes how many; only the last piece may have none
     * @param last whether nothing follows
     */
    void read(long address, long bytes, boolean last);
}
