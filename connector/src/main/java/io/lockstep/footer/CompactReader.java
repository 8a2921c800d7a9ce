package io.lockstep.footer;

import java.io.IOException;

/**
 * Reads Thrift's compact protocol out of an array, and passes over what is not wanted at little
 * cost. Parquet footers are written in it; most of a footer is statistics that a plan has no use
 * for.
 *
 * <p>A struct is read by {@link #beginStruct}, {@link #nextField} until it returns 0, {@link
 * #endStruct}. Not thread-safe.
 */
final class CompactReader {

    static final int TRUE = 1;
    static final int FALSE = 2;
    static final int BYTE = 3;
    static final int I16 = 4;
    static final int I32 = 5;
    static final int I64 = 6;
    static final int DOUBLE = 7;
    static final int BINARY = 8;
    static final int LIST = 9;
    static final int SET = 10;
    static final int MAP = 11;
    static final int STRUCT = 12;
    static final int UUID = 13;

    /** Deeper nesting than any footer has; a damaged one must not exhaust the stack. */
    private static final int MAX_DEPTH = 64;

    private final byte[] bytes;
    private final int end;
    private int position;

    private final int[] outerFields = new int[MAX_DEPTH];
    private int depth;
    private int field;
    private int type;
    private int elementType;

    CompactReader(byte[] bytes, int begin, int length) {
        this.bytes = bytes;
        this.position = begin;
        this.end = begin + length;
    }

    int position() {
        return position;
    }

    /** Also guards other nesting against a stack overflow. */
    void beginStruct() throws IOException {
        if (depth == MAX_DEPTH) {
            throw new IOException("structures nested more than " + MAX_DEPTH + " deep");
        }
        outerFields[depth++] = field;
        field = 0;
    }

    void endStruct() {
        field = outerFields[--depth];
    }

    /** The id of the next field of the struct, 0 after the last; its type is {@link #type}. */
    int nextField() throws IOException {
        int header = readByte();
        if (header == 0) {
            return 0;
        }
        type = header & 0x0f;
        int delta = header >>> 4;
        field = delta == 0 ? (int) readZigZag() : field + delta;
        return field;
    }

    /** The type of the field that {@link #nextField} found. */
    int type() {
        return type;
    }

    /** Reads the header of a list or set; the type of its elements is {@link #elementType}. */
    int beginList() throws IOException {
        int header = readByte();
        elementType = header & 0x0f;
        int size = header >>> 4;
        if (size == 15) {
            size = readSize();
        }
        return size;
    }

    int elementType() {
        return elementType;
    }

    /** The value of a field of type {@code I16}, {@code I32} or {@code I64}. */
    long readZigZag() throws IOException {
        long value = readVarint();
        return (value >>> 1) ^ -(value & 1);
    }

    /** Reads the length of a {@code BINARY}; its bytes begin at {@link #position}. */
    int readSize() throws IOException {
        long size = readVarint();
        // Every element takes at least one byte.
        if (size < 0 || size > end - position) {
            throw new IOException("a length of " + size + " where " + remaining() + " are left");
        }
        return (int) size;
    }

    byte[] readBinary() throws IOException {
        int size = readSize();
        byte[] value = new byte[size];
        System.arraycopy(bytes, position, value, 0, size);
        position += size;
        return value;
    }

    /** Passes over the value of the field that {@link #nextField} found. */
    void skip() throws IOException {
        skip(type);
    }

    /** Passes over a list's element: a bool takes a byte there and none as a field. */
    void skipElement(int valueType) throws IOException {
        if (valueType == TRUE || valueType == FALSE) {
            advance(1);
        } else {
            skip(valueType);
        }
    }

    private void skip(int valueType) throws IOException {
        switch (valueType) {
            case TRUE, FALSE -> {}
            case BYTE -> advance(1);
            case I16, I32, I64 -> readVarint();
            case DOUBLE -> advance(8);
            case UUID -> advance(16);
            case BINARY -> advance(readSize());
            case LIST, SET -> {
                beginStruct();
                int size = beginList();
                int each = elementType;
                for (int i = 0; i < size; i++) {
                    skipElement(each);
                }
                endStruct();
            }
            case MAP -> skipMap();
            case STRUCT -> {
                beginStruct();
                while (nextField() != 0) {
                    skip(type);
                }
                endStruct();
            }
            default -> throw new IOException("a value of unknown type " + valueType);
        }
    }

    private void skipMap() throws IOException {
        int size = readSize();
        if (size == 0) {
            return;
        }
        int types = readByte();
        beginStruct();
        for (int i = 0; i < size; i++) {
            skipElement(types >>> 4);
            skipElement(types & 0x0f);
        }
        endStruct();
    }

    private long readVarint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IOException("a number of more than 64 bits");
    }

    private int readByte() throws IOException {
        if (position >= end) {
            throw new IOException("it ends in the middle of a value");
        }
        return bytes[position++] & 0xff;
    }

    private void advance(int count) throws IOException {
        if (count > remaining()) {
            throw new IOException("it ends in the middle of a value");
        }
        position += count;
    }

    private int remaining() {
        return end - position;
    }
}
