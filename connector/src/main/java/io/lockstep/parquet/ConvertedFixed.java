package io.lockstep.parquet;

import io.lockstep.footer.FileColumn;
import java.io.IOException;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.format.Type;
import org.apache.parquet.io.api.Binary;

/** Reads values with parquet-java, then converts them from the plain encoding. */
final class ConvertedFixed implements FixedValues {

    private static final int BATCH = 4096;

    private final ValuesReader reader;
    private final Type type;
    private final FixedForm form;
    private final Scratch scratch;

    ConvertedFixed(ValuesReader reader, FileColumn column, FixedForm form, Scratch scratch) {
        this.reader = reader;
        this.type = column.physical().type();
        this.form = form;
        this.scratch = scratch;
    }

    @Override
    public void read(int count, long address) throws IOException {
        long plain = scratch.get(Math.min(count, BATCH) * form.plainWidth()).address();
        long to = address;
        for (int left = count; left > 0; left -= BATCH) {
            int part = Math.min(left, BATCH);
            fill(part, plain);
            form.convert(plain, to, part);
            to += (long) part * form.width();
        }
    }

    private void fill(int count, long to) throws IOException {
        switch (type) {
            case INT32 -> {
                for (int i = 0; i < count; i++) {
                    MemoryUtil.putInt(to + (long) i * Integer.BYTES, reader.readInteger());
                }
            }
            case INT64 -> {
                for (int i = 0; i < count; i++) {
                    MemoryUtil.putLong(to + (long) i * Long.BYTES, reader.readLong());
                }
            }
            case FLOAT -> {
                for (int i = 0; i < count; i++) {
                    int bits = Float.floatToRawIntBits(reader.readFloat());
                    MemoryUtil.putInt(to + (long) i * Float.BYTES, bits);
                }
            }
            case DOUBLE -> {
                for (int i = 0; i < count; i++) {
                    long bits = Double.doubleToRawLongBits(reader.readDouble());
                    MemoryUtil.putLong(to + (long) i * Double.BYTES, bits);
                }
            }
            default -> fillBytes(count, to);
        }
    }

    private void fillBytes(int count, long to) throws IOException {
        int width = form.plainWidth();
        for (int i = 0; i < count; i++) {
            Binary value = reader.readBytes();
            if (value.length() != width) {
                throw new IOException(
                        "a value has " + value.length() + " bytes instead of " + width);
            }
            MemoryUtil.copyToMemory(value.getBytesUnsafe(), 0, to + (long) i * width, width);
        }
    }
}
