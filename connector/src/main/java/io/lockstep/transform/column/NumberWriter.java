package io.lockstep.transform.column;

import org.apache.arrow.memory.util.MemoryUtil;

/**
 * Writes numbers of one type to memory. Doubles are rounded to the nearest float; integers must be
 * in the type's range.
 */
interface NumberWriter {

    void put(long address, double value);

    void put(long address, long value);

    /** The bytes of a value. */
    int width();

    /**
     * @throws IllegalArgumentException for booleans, which are single bits
     */
    static NumberWriter of(NumberType type) {
        return switch (type) {
            case INT8, UINT8 ->
                    new IntegerWriter(
                            Byte.BYTES, (to, value) -> MemoryUtil.putByte(to, (byte) value));
            case INT16, UINT16 ->
                    new IntegerWriter(
                            Short.BYTES, (to, value) -> MemoryUtil.putShort(to, (short) value));
            case INT32, UINT32 ->
                    new IntegerWriter(
                            Integer.BYTES, (to, value) -> MemoryUtil.putInt(to, (int) value));
            case INT64, UINT64 -> new IntegerWriter(Long.BYTES, MemoryUtil::putLong);
            case FLOAT16 ->
                    new FloatWriter(
                            Short.BYTES, (to, value) -> MemoryUtil.putShort(to, Halves.of(value)));
            case FLOAT32 ->
                    new FloatWriter(
                            Float.BYTES,
                            (to, value) ->
                                    MemoryUtil.putInt(to, Float.floatToRawIntBits((float) value)));
            case FLOAT64 ->
                    new FloatWriter(
                            Double.BYTES,
                            (to, value) ->
                                    MemoryUtil.putLong(to, Double.doubleToRawLongBits(value)));
            case BOOL -> throw new IllegalArgumentException("booleans are bits");
        };
    }

    /** Writes a long to an address. */
    @FunctionalInterface
    interface LongPut {
        void put(long address, long value);
    }

    /** Writes a double to an address. */
    @FunctionalInterface
    interface DoublePut {
        void put(long address, double value);
    }

    /** Writes integers. */
    record IntegerWriter(int width, LongPut put) implements NumberWriter {

        @Override
        public void put(long address, double value) {
            put.put(address, (long) value);
        }

        @Override
        public void put(long address, long value) {
            put.put(address, value);
        }
    }

    /** Writes floats. */
    record FloatWriter(int width, DoublePut put) implements NumberWriter {

        @Override
        public void put(long address, double value) {
            put.put(address, value);
        }

        @Override
        public void put(long address, long value) {
            put.put(address, (double) value);
        }
    }
}
