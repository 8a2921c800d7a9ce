package io.lockstep.transform.column;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.lockstep.manifest.TypeNames;
import io.lockstep.transform.TransformException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * The bytes and the XXH3-64 hashes of values: a text is its UTF-8 bytes, a whole number or boolean
 * its 64-bit value in little-endian order. So equal numbers of different integer types have equal
 * hashes.
 */
@FunctionalInterface
public interface ValueHash {

    /** Returns the bytes of a value that is not null. */
    byte[] bytes(int row);

    /** Returns the hash of a value that is not null. */
    default long hash(int row) {
        return of(bytes(row));
    }

    static long of(byte[] bytes) {
        return Hasher.XXH3.hashBytesToLong(bytes);
    }

    /** Returns the bucket of a hash, read as an unsigned number: its remainder. */
    static long bucket(long hash, int buckets) {
        return Long.remainderUnsigned(hash, buckets);
    }

    /**
     * Checks that a column has values with hashes.
     *
     * @param name of the column in the message
     */
    static void check(String name, Field column) {
        boolean accepted =
                switch (column.getType().getTypeID()) {
                    case Utf8, Binary, Int, Bool -> true;
                    default -> false;
                };
        if (!accepted) {
            throw new TransformException(
                    "the column \""
                            + name
                            + "\" is of type "
                            + TypeNames.of(column)
                            + ", and only texts, whole numbers and booleans can be hashed");
        }
    }

    /** Reads a vector, which must stay open and unchanged. Not thread-safe. */
    static ValueHash of(FieldVector vector) {
        if (vector instanceof VarCharVector texts) {
            return texts::get;
        }
        if (vector instanceof VarBinaryVector bytes) {
            return bytes::get;
        }
        ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        if (vector instanceof BitVector bits) {
            return row -> buffer.putLong(0, bits.get(row)).array();
        }
        LongValues values = LongValues.of(vector);
        return row -> buffer.putLong(0, values.get(row)).array();
    }

    /** Holds the hash function. */
    final class Hasher {
        private static final Hasher64 XXH3 = Hashing.xxh3_64();

        private Hasher() {}
    }
}
