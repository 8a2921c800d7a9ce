package io.lockstep.digest;

import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.xxhash.XXH3State;
import org.lwjgl.util.xxhash.XXHash;

/**
 * The hash of the native xxHash library, which uses the widest SIMD instructions of the processor.
 * Requires a little-endian machine, as are all for which the library is available.
 */
final class NativeLaneHash implements LaneHash {

    /** Receives an XXH128_hash_t: the low 64 bits, then the high 64 bits. */
    private final long result = MemoryUtil.nmemAllocChecked(Digest128.BYTES);

    private XXH3State state;

    @Override
    public void read(long address, long bytes, boolean last) {
        if (state == null && last) {
            XXHash.nXXH3_128bits(address, bytes, result);
            return;
        }
        if (state == null) {
            state = XXHash.XXH3_createState();
            XXHash.XXH3_128bits_reset(state);
        }
        XXHash.nXXH3_128bits_update(state.address(), address, bytes);
        if (last) {
            XXHash.nXXH3_128bits_digest(state.address(), result);
        }
    }

    @Override
    public Digest128 digest(long[] counts) {
        long bytes = (long) counts.length * Long.BYTES;
        long shape = MemoryUtil.nmemAllocChecked(bytes + Digest128.BYTES);
        try {
            for (int i = 0; i < counts.length; i++) {
                MemoryUtil.memPutLong(shape + (long) i * Long.BYTES, counts[i]);
            }
            XXHash.nXXH128_canonicalFromHash(shape + bytes, result);
            XXHash.nXXH3_128bits(shape, bytes + Digest128.BYTES, result);
        } finally {
            MemoryUtil.nmemFree(shape);
        }
        return new Digest128(
                MemoryUtil.memGetLong(result + Long.BYTES), MemoryUtil.memGetLong(result));
    }

    @Override
    public void close() {
        MemoryUtil.nmemFree(result);
        if (state != null) {
            XXHash.XXH3_freeState(state);
        }
    }
}
