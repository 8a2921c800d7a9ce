package io.lockstep.transform.statistic;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Distinct byte strings, numbered in the order in which they were added. Compact: their bytes, and
 * about 10 bytes more for each. Several threads may look strings up while none adds any.
 */
final class KeySet implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The most strings, and the most bytes of all together. */
    static final int MAX_SIZE = 1 << 24;

    static final int MAX_BYTES = 1 << 30;

    private static final int EMPTY = -1;

    private byte[] bytes = {};
    private int[] ends = new int[8];
    private int[] slots = emptySlots(16);
    private int size;

    private static int[] emptySlots(int count) {
        int[] slots = new int[count];
        Arrays.fill(slots, EMPTY);
        return slots;
    }

    int size() {
        return size;
    }

    byte[] get(int index) {
        return Arrays.copyOfRange(bytes, start(index), ends[index]);
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    /** Compares two strings by their bytes, as unsigned. */
    int compare(int first, int second) {
        return Arrays.compareUnsigned(
                bytes, start(first), ends[first], bytes, start(second), ends[second]);
    }

    /** The number of a string; negative if it is not there. */
    int indexOf(byte[] key) {
        return slots[slot(key)];
    }

    /** Whether this string is there, or fits. */
    boolean hasRoomFor(byte[] key) {
        return (size < MAX_SIZE && (long) used() + key.length <= MAX_BYTES) || indexOf(key) >= 0;
    }

    private int used() {
        return size == 0 ? 0 : ends[size - 1];
    }

    /** Adds a string if it is not there, and returns its number. */
    int add(byte[] key) {
        int slot = slot(key);
        if (slots[slot] != EMPTY) {
            return slots[slot];
        }
        int end = used() + key.length;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(MAX_BYTES, Math.max(64, end + end / 2)));
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size + size / 2);
        }
        System.arraycopy(key, 0, bytes, used(), key.length);
        ends[size] = end;
        slots[slot] = size++;
        if (size > slots.length / 4 * 3) {
            rehash();
        }
        return size - 1;
    }

    private void rehash() {
        slots = emptySlots(slots.length * 2);
        for (int index = 0; index < size; index++) {
            slots[slot(get(index))] = index;
        }
    }

    /** The slot of a string, or the empty one where it belongs. */
    private int slot(byte[] key) {
        int mask = slots.length - 1;
        int slot = (int) Hash.XXH3.hashBytesToLong(key) & mask;
        while (slots[slot] != EMPTY && !isAt(slots[slot], key)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private boolean isAt(int index, byte[] key) {
        return Arrays.equals(bytes, start(index), ends[index], key, 0, key.length);
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(size);
        for (int index = 0; index < size; index++) {
            out.writeInt(ends[index] - start(index));
        }
        out.write(bytes, 0, used());
    }

    static KeySet read(DataInput in) throws IOException {
        int[] lengths = new int[in.readInt()];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = in.readInt();
        }
        KeySet keys = new KeySet();
        for (int length : lengths) {
            byte[] key = new byte[length];
            in.readFully(key);
            keys.add(key);
        }
        return keys;
    }

    /** Holds the hash function. */
    private static final class Hash {
        private static final Hasher64 XXH3 = Hashing.xxh3_64();

        private Hash() {}
    }
}
