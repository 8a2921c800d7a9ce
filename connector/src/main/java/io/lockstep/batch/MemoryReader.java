package io.lockstep.batch;

/** Reads bytes that arrive in one or more consecutive pieces. */
@FunctionalInterface
public interface MemoryReader {

    /**
     * @param address the address of the next bytes, valid until this method returns
     * @param bytes the number of bytes; only the last piece may be empty
     * @param last whether this is the last piece
     */
    void read(long address, long bytes, boolean last);
}
