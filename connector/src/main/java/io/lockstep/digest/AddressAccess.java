package io.lockstep.digest;

import com.dynatrace.hash4j.hashing.ByteAccess;
import org.apache.arrow.memory.util.MemoryUtil;

/** Lets the hash read direct memory: the index is an address, and the object is null. */
final class AddressAccess implements ByteAccess<Void> {

    static final AddressAccess INSTANCE = new AddressAccess();

    private AddressAccess() {}

    @Override
    public byte getByte(Void none, long address) {
        return MemoryUtil.getByte(address);
    }

    @Override
    public int getInt(Void none, long address) {
        return MemoryUtil.getInt(address);
    }

    @Override
    public long getLong(Void none, long address) {
        return MemoryUtil.getLong(address);
    }

    @Override
    public void copyToByteArray(Void none, long address, byte[] array, int offset, int length) {
        MemoryUtil.copyFromMemory(address, array, offset, length);
    }
}
